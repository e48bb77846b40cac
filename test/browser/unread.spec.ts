// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { seedAgent } from '#test/support/seed.js';

const MINUTE_MS = 60_000;

const console = consoleForTests();
let page: Page;
beforeAll(async () => {
  page = await console.signedIn();
});

const iconOf = async (shown: Page): Promise<string> =>
  decodeURIComponent((await shown.locator('link[rel="icon"]').getAttribute('href')) ?? '');

describe('the count of unread tickets', () => {
  beforeEach(() => console.desk.sql.query("update tickets set state = 'opened'"));

  it('appears in the title and icon of every page, without other agents’ tickets', async () => {
    await page.goto('/customers');
    expect(await page.title()).toBe('Customers · Deskwire');
    expect(await iconOf(page)).toMatch(/icon\.svg$/);

    const noah = await seedAgent(console.desk.sql, console.desk.account.id);
    const [mine, ofNoah] = [
      await ticketFromAna(console.desk),
      await ticketFromAna(console.desk),
      await ticketFromAna(console.desk),
    ];
    await console.desk.client().put(`/v1/tickets/${mine}/assignee`, { assignee: console.desk.account.owner.email });
    await console.desk.client().put(`/v1/tickets/${ofNoah}/assignee`, { assignee: noah.email });
    for (const path of ['/customers', '/inbox?folder=open', '/profile']) {
      await page.goto(path);
      expect(await page.title()).toMatch(/^\(2\) .+ · Deskwire$/);
      expect(await iconOf(page)).toContain('>2</text>');
    }
  });

  it('updates while the page is open, also in a hidden tab', async () => {
    await page.goto('/inbox?folder=open');
    await ticketFromAna(console.desk);
    await eventually(async () => (await page.title()).startsWith('(1) '));
    await eventually(async () => (await iconOf(page)).includes('>1</text>'));

    await page.clock.install();
    await page.goto('/profile');
    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true })");
    await ticketFromAna(console.desk);
    await page.clock.fastForward(MINUTE_MS);
    await eventually(async () => (await page.title()) === '(2) Profile · Deskwire');
    expect(await iconOf(page)).toContain('>2</text>');
    expect(console.browserErrors).toEqual([]);
  });

  it('stops at 99+', async () => {
    const number = await ticketFromAna(console.desk);
    await console.desk.sql.query(
      `insert into tickets select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'number', 1000 + n))).*
       from tickets t, generate_series(1, 120) n where t.number = $1`,
      [number],
    );
    await page.goto('/profile');
    expect(await page.title()).toBe('(99+) Profile · Deskwire');
  });
});

it('updates the last-seen time when an agent first signs in', async () => {
  const { email } = await seedAgent(console.desk.sql, console.desk.account.id, { email: 'first@acme.test' });
  await page.goto('/settings/agents');
  const row = page.getByRole('row', { name: email });
  await row.getByText('never').waitFor();
  await console.signedIn(email);
  await page.reload();
  await row.getByText('just now').waitFor();
  expect(await row.getByText('never').count()).toBe(0);
});
