import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '../support/console.js';
import { eventually } from '../support/eventually.js';

let console: TestConsole;
let page: Page;
beforeAll(async () => {
  console = await startConsole();
  page = await console.signedIn();
});
afterAll(() => console.stop());

async function newTicket(): Promise<number> {
  const wanted = { body: 'Hello', from: 'ana@client.example', to: console.desk.account.mailbox.email };
  return (await console.desk.client().post('/v1/tickets', wanted)).body.ticket.number as number;
}

/** What the actions change. */
async function partsOf(number: number): Promise<unknown> {
  const statement = `select state, assignee_id, priority, tags, title, deleted_at is null as live from tickets where number = $1`;
  return (await console.desk.sql.query(statement, [number])).rows[0];
}

const open = (tool: string) => page.locator('.ticket-tools summary', { hasText: tool }).click();

const ACTIONS: readonly [string, () => Promise<void>][] = [
  ['closing', () => page.locator('#facts').getByRole('button', { name: 'Close', exact: true }).click()],
  [
    'assigning',
    async () => {
      await open('Assign');
      await page.getByRole('button', { name: 'Assign to me' }).click();
    },
  ],
  [
    'a priority',
    async () => {
      await open('Priority');
      await page.getByRole('button', { name: 'urgent' }).click();
    },
  ],
  [
    'a tag',
    async () => {
      await page.getByRole('combobox', { name: 'Add a tag' }).fill('billing');
      await page.getByRole('combobox', { name: 'Add a tag' }).press('Enter');
    },
  ],
  [
    'spam',
    async () => {
      await open('More');
      await page.getByRole('button', { name: 'Mark as spam' }).click();
    },
  ],
  [
    'deleting',
    async () => {
      await open('More');
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('button', { name: 'Delete ticket' }).click();
    },
  ],
];

describe('what was done to a ticket', () => {
  it.each(ACTIONS)('is undone by the toast and by z: %s', async (_, act) => {
    for (const way of ['toast', 'key']) {
      const number = await newTicket();
      const before = await partsOf(number);
      await page.goto(`/tickets/${number}?folder=open`);
      await act();
      const undo = page.locator('#toasts').getByRole('button', { name: 'Undo' });
      await undo.waitFor();
      expect(await partsOf(number)).not.toEqual(before);
      if (way === 'key') {
        // Out of the field of the tag, where it would be typed.
        await page.keyboard.press('Escape');
        await page.keyboard.press('z');
      }
      if (way === 'toast') await undo.click();
      await page.getByText('Undone.').waitFor();
      expect(await partsOf(number)).toEqual(before);
    }
    expect(console.browserErrors).toEqual([]);
  });

  it('is undone without a script', async () => {
    const without = await console.anonymous({
      javaScriptEnabled: false,
      storageState: { cookies: (await page.context().storageState()).cookies, origins: [] },
    });
    const number = await newTicket();
    await without.goto(`/tickets/${number}?folder=open`);
    await without.locator('#facts').getByRole('button', { name: 'Close', exact: true }).click();
    await without.locator('#toasts').getByRole('button', { name: 'Undo' }).click();
    await without.getByText('Undone.').waitFor();
    expect(await partsOf(number)).toMatchObject({ state: 'unread' });
  });
});

describe('what was done to many tickets', () => {
  it.each(['Close', 'Delete', 'Spam'])('is undone at once, to what each of them was: %s', async (action) => {
    const numbers = [await newTicket(), await newTicket(), await newTicket()];
    await console.desk.client().put(`/v1/tickets/${numbers[0]}/state`, { state: 'pending' });
    const before = await Promise.all(numbers.map(partsOf));
    await page.goto('/inbox?folder=open');
    for (const number of numbers) await page.getByLabel(`Select ticket ${number}`, { exact: true }).check();
    await page.locator('#bulk').getByRole('button', { name: action, exact: true }).click();
    await page.getByText('3 tickets changed.').waitFor();
    expect(await Promise.all(numbers.map(partsOf))).not.toEqual(before);
    await page.keyboard.press('z');
    await page.getByText('Undone.').waitFor();
    await eventually(async () => JSON.stringify(await Promise.all(numbers.map(partsOf))) === JSON.stringify(before));
  });

  it('begins with nothing chosen', async () => {
    await page.goto('/inbox?folder=open');
    const chosen = await page.evaluate("[...document.querySelectorAll('#bulk select')].map((field) => field.value)");
    expect(chosen).toEqual(['', '', '']);
  });
});
