import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { seedAgent } from '#test/support/seed.js';
import { composer, openTicket } from './support/ticket-page.js';

const console = consoleForTests();

let page: Page;
let number: number;
let emails: string[];

beforeEach(async () => {
  emails = [];
  for (const _ of [1, 2]) {
    const { email } = await seedAgent(console.desk.sql, console.desk.account.id);
    emails.push(email);
  }
  ({ number } = await startTicket(console.desk));
  page = await openTicket(console, number);
  await page.keyboard.press('n');
});

const choices = () => page.getByRole('listbox', { name: 'Agents' }).getByRole('option');
const localPart = (email = ''): string => email.split('@')[0]!;
const text = () => composer(page).inputValue();

describe('a note', () => {
  it('offers agents after @, and Enter inserts the chosen name', async () => {
    await page.keyboard.type(`Ask @${localPart(emails[1]).slice(0, -1)}`);
    await choices().first().waitFor();
    await page.keyboard.type(localPart(emails[1]).slice(-1));
    await page.keyboard.press('Enter');

    expect(await text()).toBe(`Ask @${localPart(emails[1])} `);
    expect(await choices().count()).toBe(0);
    await page.keyboard.press('Control+Enter');
    await page.locator('mark', { hasText: `@${localPart(emails[1])}` }).waitFor();
  });

  it('chooses with arrows and Tab, and with the mouse', async () => {
    await page.keyboard.type('@');
    const names = await choices().allTextContents();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    const second = await text();
    await page.keyboard.type('@');
    await choices().first().click();

    expect(names[1]).toContain(second.trim().slice(1));
    expect(await text()).toMatch(/^@\S+ @\S+ $/);
    expect(await composer(page).evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('keeps what was typed when Esc closes the list', async () => {
    await page.keyboard.type('@');
    await choices().first().waitFor();
    const faults = await axeViolations(page);
    expect(faults.filter((fault) => /textarea|mention|option/.test(fault))).toEqual([]);
    await page.keyboard.press('Escape');

    expect([await text(), await choices().count()]).toEqual(['@', 0]);
    expect(await composer(page).evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('keeps the list closed after Esc until another @ is typed', async () => {
    await page.keyboard.type('Ask @');
    await choices().first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type(localPart(emails[0]));
    expect(await choices().count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.keyboard.type('and ');
    expect(await text()).toBe(`Ask @${localPart(emails[0])}\nand `);

    await page.keyboard.type('@');
    await choices().first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('@');
    await choices().first().waitFor();
  });

  it('offers agents above a toast', async () => {
    await page.locator('#properties [data-tool="p"] summary').click();
    await page.getByRole('button', { name: 'urgent' }).click();
    await page.locator('#toasts .notice').waitFor();
    await composer(page).focus();
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await composer(page).fill('');
      await page.keyboard.type('@');
      expect(await choices().count()).toBeGreaterThan(1);
      for (const choice of await choices().all()) await choice.click({ trial: true });
    }
    expect(await page.locator('#toasts .notice').isVisible()).toBe(true);
  });

  it('inserts the short name of an agent, also if it is the first name of another one', async () => {
    const { email } = await seedAgent(console.desk.sql, console.desk.account.id);
    await console.desk.sql.query('update agents set first_name = $2 where email = $1', [emails[0], localPart(email)]);
    await page.reload();
    await page.keyboard.press('n');
    await page.keyboard.type(`@${localPart(email)}`);
    await choices().filter({ hasText: email }).click();

    expect(await text()).toBe(`@${localPart(email)} `);
  });

  it('saves the inserted name in the draft', async () => {
    await page.keyboard.type('@');
    await page.keyboard.press('Enter');
    const { rows } = await eventually(async () => {
      const found = await console.desk.sql.query<{ body: string }>(
        'select d.body from drafts d join tickets t on t.id = d.ticket_id where t.number = $1 and t.account_id = $2',
        [number, console.desk.account.id],
      );
      return found.rows[0]?.body.endsWith(' ') && found;
    });

    expect(rows[0]!.body).toMatch(/^@\S+ ?$/);
  });
});

it('offers no agents in a reply, in an email address or for an unknown name', async () => {
  await page.keyboard.type('me@ @zzz');
  expect(await choices().count()).toBe(0);

  await page.locator('#composer label', { hasText: 'Reply' }).click();
  await composer(page).fill('@');
  expect(await choices().count()).toBe(0);
});
