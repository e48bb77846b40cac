// @module-tag long
import type { Page, Route } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { addMailbox, startTicket } from '#test/support/desk-records.js';
import { closed, openBeside, openListOf, press, ticketsOf } from './support/keys.js';
import { composer, ticketOf } from './support/ticket-page.js';

const console = consoleForTests();
const client = () => console.desk.client();

beforeEach(() => console.desk.sql.query("update tickets set state = 'closed'"));

const tickets = (count: number) => ticketsOf(console, count);
const openList = (folder?: string) => openListOf(console, folder);

describe('with another ticket open, a key after j acts on the row with the focus', () => {
  const me = expect.stringMatching(/^owner-/);
  const snoozed = expect.stringMatching(/^20/);
  const KEYS: readonly (readonly [string, readonly string[], object])[] = [
    ['i', [], { assignee: me }],
    ['a', ['U', 'Enter'], { assignee: null }],
    ['t', ['s', 'e', 'a', 'Enter'], { tags: ['sea'] }],
    ['v', ['R', 'Enter'], { mailbox: 'Returns' }],
    ['s', ['Enter'], { snoozed_until: snoozed }],
    ['p', ['2'], { priority: 'high' }],
    ['c', [], { state: 'closed' }],
    ['r', ['H', 'i', 'Control+Enter'], { state: 'opened' }],
    ['n', ['H', 'i', 'Control+Enter'], { assignee: null }],
  ];

  it.each(KEYS)('%s', async (key, then, after) => {
    await addMailbox(console.desk, { name: 'Returns' }).catch(() => undefined);
    const [second, first] = (await tickets(2)) as [number, number];
    const owner = { assignee: console.desk.account.owner.email };
    if (key === 'a') for (const number of [second, first]) await client().put(`/v1/tickets/${number}/assignee`, owner);
    const page = await openList();
    await openBeside(page, first);
    const untouched = await ticketOf(console.desk, first);
    await press(page, 'j', key, ...then);
    await expect.poll(() => page.locator('#ticket').getAttribute('data-ticket')).toBe(String(second));
    await expect.poll(() => ticketOf(console.desk, second)).toMatchObject(after);
    if (key === 'r' || key === 'n') await page.locator('#ticket').getByText('Hi', { exact: true }).waitFor();
    expect(await ticketOf(console.desk, first)).toEqual(untouched);
    expect(console.browserErrors).toEqual([]);
  });

  it('also after one is closed and after several steps', async () => {
    const numbers = (await tickets(8)).toReversed();
    const page = await openList();
    await openBeside(page, numbers[0]!);
    await press(page, 'j', 'c', 'j', 'j', 'j', 'j', 'j', 'i');
    await page.getByText(`#${numbers[6]} assigned to you.`).waitFor();
    const changed = await Promise.all(numbers.map((number) => ticketOf(console.desk, number)));
    expect(changed.map(({ state }) => state === 'closed')).toEqual(numbers.map((_, place) => place === 1));
    expect(changed.map(({ assignee }) => assignee !== null)).toEqual(numbers.map((_, place) => place === 6));
  });
});

it.each([0, 30])('does the same however fast the keys come: %i ms', { timeout: 60_000 }, async (ms) => {
  await startTicket(console.desk, { tags: ['delivery'] });
  const [open, ...numbers] = (await tickets(6)).toReversed() as [number, ...number[]];
  const page = await openList('unassigned');
  await openBeside(page, open);
  for (const _ of numbers)
    for (const key of ['j', 'i', 't', 'd', 'e', 'l', 'Enter', 'c']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(ms);
    }
  await closed(page, numbers.at(-1)!);
  const after = { state: 'closed', tags: ['delivery'], assignee: console.desk.account.owner.email };
  for (const number of numbers) expect(await ticketOf(console.desk, number)).toMatchObject(after);
  expect(await ticketOf(console.desk, open)).toMatchObject({ tags: [], assignee: null });
  expect(console.browserErrors).toEqual([]);
});

it.each([0, 150])(
  'closes one ticket when c is pressed twice within %i ms, and the next one after another key',
  async (ms) => {
    const [first, second] = (await tickets(2)).toReversed() as [number, number];
    const page = await openList();
    await page.goto('/profile');
    await page.getByLabel('Open the next ticket after closing').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.goto(`/tickets/${first}?folder=open`);
    await page.locator('#ticket').press('c');
    await page.waitForTimeout(ms);
    await press(page, 'c');
    await page.waitForURL(`**/tickets/${second}?**`);
    await closed(page, first);
    await page.locator(`#ticket[data-ticket="${second}"]`).waitFor();
    expect((await ticketOf(console.desk, second)).state).toBe('unread');
    await press(page, 'i', 'c');
    await expect.poll(async () => (await ticketOf(console.desk, second)).state).toBe('closed');
  },
);

describe.each([0, 60, 120])('keys that come every %i ms act on the page that the one before opens', (ms) => {
  const type = async (page: Page, ...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await page.waitForTimeout(ms);
    }
  };

  it('x j x m Enter merges two tickets', async () => {
    const [kept, gone] = (await tickets(2)) as [number, number];
    const page = await openList();
    await page.locator(`#row-${gone} a`).focus();
    await type(page, 'x', 'j', 'x', 'm', 'Enter');
    await page.getByText(`#${gone} merged into #${kept}.`).waitFor();
    expect(console.browserErrors).toEqual([]);
  });

  it('j s Enter snoozes a ticket from the list', async () => {
    const [number] = (await tickets(1)) as [number];
    const page = await openList();
    await type(page, 'j', 's', 'Enter');
    await page.getByText(`#${number} snoozed until`).waitFor();
    expect(console.browserErrors).toEqual([]);
  });
});

it('triages twenty tickets with eight keys each: assign to me, tag and close', { timeout: 120_000 }, async () => {
  await startTicket(console.desk, { tags: ['delivery'] });
  await console.desk.sql.query("update tickets set state = 'closed'");
  const numbers = (await tickets(20)).toReversed();
  const page = await openList('unassigned');
  let keys = 0;
  const count = async (...pressed: string[]) => {
    keys += pressed.length;
    await press(page, ...pressed);
  };
  for (const number of numbers) {
    await count('j', 'i');
    await page.getByText(`#${number} assigned to you.`).waitFor();
    await count('t', 'd', 'e', 'l', 'Enter');
    await page.getByText(`#${number} tagged delivery.`).waitFor();
    await count('c');
    await closed(page, number);
  }

  expect(keys / numbers.length).toBe(8);
  const owner = console.desk.account.owner.email;
  for (const number of numbers)
    expect(await ticketOf(console.desk, number)).toMatchObject({
      state: 'closed',
      tags: ['delivery'],
      assignee: owner,
    });
  expect(console.browserErrors).toEqual([]);
});

describe('text for a message', () => {
  it('is written at once while an action by key takes its time, and stays when that fails', async () => {
    const [number] = await tickets(1);
    const page = await openList();
    await openBeside(page, number!);
    const held: Route[] = [];
    await page.route('**/assign', (route) => void held.push(route));
    await page.keyboard.press('i');
    await composer(page).click();
    await page.keyboard.type('On its way.');
    expect(await composer(page).inputValue()).toBe('On its way.');

    await held[0]!.abort();
    await page.getByText('The server cannot be reached.').waitFor();
    expect(await composer(page).inputValue()).toBe('On its way.');
  });
});
