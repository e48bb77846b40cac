// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { seedAgent } from '#test/support/seed.js';
import { csrfOn } from './support/ticket-page.js';

const console = consoleForTests();
let page: Page;
beforeAll(async () => {
  page = await console.signedIn();
});

/** Opens a page in the same session. */
async function anotherPage(javaScriptEnabled: boolean): Promise<Page> {
  const { cookies } = await page.context().storageState();
  return console.anonymous({ javaScriptEnabled, storageState: { cookies, origins: [] } });
}

async function tickets(count: number): Promise<number[]> {
  const numbers: number[] = [];
  while (numbers.length < count) numbers.push(await ticketFromAna(console.desk));
  return numbers;
}

async function partsOf(number: number): Promise<unknown> {
  const statement = `select state, assignee_id, priority, tags, title, deleted_at is null as live from tickets where number = $1`;
  return (await console.desk.sql.query(statement, [number])).rows[0];
}

interface Action {
  readonly what: string;
  /** Selects the menu with the button, if it is in one. */
  readonly menu?: string;
  readonly buttons: readonly string[];
}

const ACTIONS: readonly Action[] = [
  { what: 'closing', buttons: ['Close'] },
  { what: 'assigning', buttons: ['Assign to me'] },
  { what: 'a priority', menu: '#properties [data-tool="p"] summary', buttons: ['urgent'] },
  { what: 'a tag', buttons: ['Add'] },
  { what: 'spam', menu: '#facts summary[aria-label="More"]', buttons: ['Mark as spam'] },
  { what: 'deleting', menu: '#facts summary[aria-label="More"]', buttons: ['Delete…', 'Delete ticket'] },
];

describe('a change to a ticket', () => {
  it.each(ACTIONS)('undoes with the toast and with z: $what', async ({ menu, buttons }) => {
    for (const way of ['toast', 'key']) {
      const number = await ticketFromAna(console.desk);
      const before = await partsOf(number);
      await page.goto(`/tickets/${number}?folder=open`);
      await page.getByRole('combobox', { name: 'Add a tag' }).fill('billing');
      if (menu) await page.locator(menu).click();
      for (const name of buttons)
        await page.locator('#ticket, #properties').getByRole('button', { name, exact: true }).click();
      const undo = page.locator('#toasts').getByRole('button', { name: 'Undo' });
      await undo.waitFor();
      expect(await partsOf(number)).not.toEqual(before);
      if (way === 'key') {
        // Leaves the tag field, which would receive the z.
        await page.keyboard.press('Escape');
        await page.keyboard.press('z');
      }
      if (way === 'toast') await undo.click();
      await page.getByText('Undone.').waitFor();
      expect(await partsOf(number)).toEqual(before);
    }
    expect(console.browserErrors).toEqual([]);
  });

  it('undoes without a script', async () => {
    const without = await anotherPage(false);
    const number = await ticketFromAna(console.desk);
    await without.goto(`/tickets/${number}?folder=open`);
    await without.locator('#facts').getByRole('button', { name: 'Close', exact: true }).click();
    await without.locator('#toasts').getByRole('button', { name: 'Undo' }).click();
    await without.getByText('Undone.').waitFor();
    expect(await partsOf(number)).toMatchObject({ state: 'unread' });
  });
});

describe('a bulk change', () => {
  it.each([
    ['Close', 'closed'],
    ['Delete', 'deleted'],
    ['Spam', 'marked as spam'],
  ])('undoes at once, to the former state of each ticket: %s', async (action, done) => {
    const numbers = await tickets(3);
    await console.desk.client().put(`/v1/tickets/${numbers[0]}/state`, { state: 'pending' });
    const before = await Promise.all(numbers.map(partsOf));
    await page.goto('/inbox?folder=open');
    for (const number of numbers) await page.getByLabel(`Select ticket ${number}`, { exact: true }).check();
    if (action !== 'Close') await page.locator('#bulk summary', { hasText: 'More' }).click();
    await page.locator('#bulk').getByRole('button', { name: action, exact: true }).click();
    await page.getByText(`3 tickets ${done}.`).waitFor();
    expect(await Promise.all(numbers.map(partsOf))).not.toEqual(before);
    await page.keyboard.press('z');
    await page.getByText('Undone.').waitFor();
    await eventually(async () => JSON.stringify(await Promise.all(numbers.map(partsOf))) === JSON.stringify(before));
  });

  it.each([true, false])(
    'applies to all results of a search after a count, with a script: %s',
    async (javaScriptEnabled) => {
      const tag = `storm-${javaScriptEnabled}`;
      const numbers = await tickets(30);
      for (const number of numbers) await console.desk.client().post(`/v1/tickets/${number}/tags`, { tags: [tag] });
      await console.desk.client().put(`/v1/tickets/${numbers[3]}/state`, { state: 'pending' });
      const before = await Promise.all(numbers.map(partsOf));
      const other = await ticketFromAna(console.desk);
      const acting = await anotherPage(javaScriptEnabled);
      await acting.goto(`/inbox?folder=open&tag=${tag}`);
      await acting
        .getByLabel(/^Select ticket/)
        .first()
        .check();
      await acting.locator('#bulk summary', { hasText: 'More' }).click();
      await acting.getByRole('link', { name: 'Select all results…' }).click();
      await acting.getByRole('heading', { name: '30 tickets' }).waitFor();
      const late = await ticketFromAna(console.desk);
      await console.desk.client().post(`/v1/tickets/${late}/tags`, { tags: [tag] });

      await acting.getByRole('button', { name: 'Close', exact: true }).click();
      await acting.getByText('30 tickets closed.').waitFor();
      for (const number of numbers) expect(await partsOf(number)).toMatchObject({ state: 'closed' });
      for (const number of [other, late]) expect(await partsOf(number)).toMatchObject({ state: 'unread' });
      await acting.locator('#toasts').getByRole('button', { name: 'Undo' }).click();
      await acting.getByText('Undone.').waitFor();
      expect(await Promise.all(numbers.map(partsOf))).toEqual(before);
    },
  );

  it('undoes only for its author', async () => {
    const numbers = await tickets(30);
    const { id: owner } = console.desk.account.owner;
    const csrf = await csrfOn(page);
    const form = { csrf, do: 'close', tickets: numbers.join() };
    expect((await page.request.post('/tickets/bulk', { form })).ok()).toBe(true);
    expect(await partsOf(numbers[0]!)).toMatchObject({ state: 'closed' });
    const { rows } = await console.desk.sql.query('select id, agent_id from bulk_undos order by id desc limit 1');
    expect(rows[0].agent_id).toBe(owner);
    const noah = await seedAgent(console.desk.sql, console.desk.account.id);
    const theirs = await console.signedIn(noah.email);
    const forged = { csrf: await csrfOn(theirs), kept: rows[0].id };
    expect((await theirs.request.post('/tickets/undo', { form: forged })).status()).toBe(404);
    expect(await partsOf(numbers[0]!)).toMatchObject({ state: 'closed' });
    await page.request.post('/tickets/undo', { form: { csrf, kept: rows[0].id } });
    expect(await partsOf(numbers[0]!)).toMatchObject({ state: 'unread' });
  });

  it('starts with oneself as the assignee, and nothing else selected', async () => {
    await page.goto('/inbox?folder=open');
    const chosen = await page.evaluate("[...document.querySelectorAll('#bulk select')].map((field) => field.value)");
    expect(chosen).toEqual([console.desk.account.owner.email, '', '', '']);
  });
});
