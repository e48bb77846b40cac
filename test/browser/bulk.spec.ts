// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { addMailbox, ticketFromAna } from '#test/support/desk-records.js';
import { csrfOn, ticketOf } from './support/ticket-page.js';

const console = consoleForTests();
let page: Page;
beforeAll(async () => {
  await addMailbox(console.desk, { name: 'Billing' });
  page = await console.signedIn();
});

interface Action {
  readonly button: string;
  readonly folder: string;
  /** Brings the tickets into their initial state. */
  readonly before?: (number: number) => Promise<unknown>;
  readonly choose?: () => Promise<unknown>;
  readonly after: Record<string, unknown>;
  /** Text that the page shows afterwards. */
  readonly said: string;
}

const client = () => console.desk.client();
const menu = (label: string) => page.locator('#bulk summary', { hasText: label }).click();
const select = async (label: string, choice: string) => {
  await menu(label);
  await page.locator('#bulk').getByLabel(`${label} to`).selectOption(choice);
};

const ACTIONS: readonly Action[] = [
  {
    button: 'Reopen',
    folder: 'closed',
    before: (number) => client().put(`/v1/tickets/${number}/state`, { state: 'closed' }),
    after: { state: 'opened' },
    said: 'reopened',
  },
  {
    button: 'Priority',
    folder: 'open',
    choose: () => select('Priority', 'urgent'),
    after: { priority: 'urgent', state: 'unread' },
    said: 'set to urgent priority',
  },
  {
    button: 'Assign',
    folder: 'open',
    choose: () => select('Assign', 'Maya Lind'),
    after: { assignee: expect.stringMatching(/^owner-/) },
    said: 'assigned to you',
  },
  {
    button: 'Move',
    folder: 'open',
    choose: () => select('Move', 'Billing'),
    after: { mailbox: 'Billing' },
    said: 'moved to Billing',
  },
  {
    button: 'Tag',
    folder: 'open',
    choose: async () => {
      await menu('Tag');
      await page.locator('#bulk').getByLabel('Tag to add').fill('storm');
    },
    after: { tags: ['storm'] },
    said: 'tagged storm',
  },
  {
    button: 'Restore',
    folder: 'deleted',
    before: (number) => client().delete(`/v1/tickets/${number}`),
    after: { state: 'unread' },
    said: 'restored',
  },
];

describe('the bulk bar', () => {
  it.each(ACTIONS)('applies $button to the selected tickets only', async (action) => {
    const numbers: number[] = [];
    for (let count = 0; count < 3; count++) numbers.push(await ticketFromAna(console.desk));
    for (const number of numbers) await action.before?.(number);
    const [first, second, other] = numbers as [number, number, number];
    const untouched = (await client().get(`/v1/tickets/${other}`)).body;

    await page.goto(`/inbox?folder=${action.folder}`);
    for (const number of [first, second]) await page.getByLabel(`Select ticket ${number}`, { exact: true }).check();
    await action.choose?.();
    await page.locator('#bulk').getByRole('button', { name: action.button, exact: true }).click();
    await page.getByText(`2 tickets ${action.said}.`).waitFor();

    for (const number of [first, second]) expect(await ticketOf(console.desk, number)).toMatchObject(action.after);
    expect((await client().get(`/v1/tickets/${other}`)).body).toEqual(untouched);
    expect(console.browserErrors).toEqual([]);
  });

  it('reports which tickets changed when one of them was refused', async () => {
    const [first, gone] = [await ticketFromAna(console.desk), await ticketFromAna(console.desk)];
    await client().delete(`/v1/tickets/${gone}`);
    await page.goto('/inbox?folder=open');
    const csrf = await csrfOn(page);
    const form = { csrf, do: 'close', tickets: `${first},${gone}` };
    const said = await (await page.request.post('/tickets/bulk', { form })).text();
    expect(said).toContain(`#${first} closed.`);
    expect(said).toContain(`#${gone}:`);
  });
});
