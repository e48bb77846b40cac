// @module-tag long
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';
import { seedAgent } from '#test/support/seed.js';

const WIDTH = 390;

let console: TestConsole;
let page: Page;
beforeAll(async () => {
  console = await startConsole();
  page = await console.signedIn(undefined, { viewport: { width: WIDTH, height: 780 }, bypassCSP: true });
});
afterAll(() => console.stop());

const right = async (part: Locator): Promise<number> => {
  const box = (await part.boundingBox())!;
  return box.x + box.width;
};

describe('a table on a phone', () => {
  it('labels every value and shows every action without scrolling', async () => {
    await seedAgent(console.desk.sql, console.desk.account.id, { email: 'noah@acme.test' });
    await page.goto('/settings/agents');
    const row = page.getByRole('row', { name: 'noah@acme.test' });
    for (const name of ['Make admin', 'Archive…'])
      expect(await right(row.getByRole('button', { name }))).toBeLessThan(WIDTH);
    expect(await right(row.getByText('noah@acme.test').first())).toBeLessThan(WIDTH);
    const names = await page.evaluate(`[...document.querySelector('#agents tbody tr').cells].map((cell) =>
      getComputedStyle(cell, '::before').content.replaceAll('"', ''))`);
    expect(names).toEqual(expect.arrayContaining(['Name', 'Email', 'Role', 'State', 'Last seen']));
  });

  it('shows the button of a delivery, and passes axe', async () => {
    const { id } = await console.desk.webhook('ticket_started', 'https://example.com/hook');
    await insertPastDeliveries(console.desk, id, ['exhausted', 'delivered']);
    await page.goto(`/settings/webhooks/${id}`);
    const again = page.getByRole('button', { name: 'Redeliver' });
    expect(await again.count()).toBe(2);
    expect(await right(again.first())).toBeLessThan(WIDTH);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('shows the whole delivery counts of a webhook', async () => {
    await page.goto('/settings/webhooks');
    expect(await right(page.getByText('1 given up', { exact: true }))).toBeLessThan(WIDTH);
  });
});
