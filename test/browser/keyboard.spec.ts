// @module-tag long
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { addMailbox, startTicket } from '#test/support/desk-records.js';
import { closed, focusedRow, openBeside, openListOf, press, ticketsOf } from './support/keys.js';
import { composer, ticketOf } from './support/ticket-page.js';

const console = consoleForTests();
const client = () => console.desk.client();

beforeEach(() => console.desk.sql.query("update tickets set state = 'closed'"));

const tickets = (count: number) => ticketsOf(console, count);
const openList = (folder?: string) => openListOf(console, folder);

describe('with ticked rows, a key acts on those', () => {
  const ACTIONS: readonly (readonly [string, readonly string[], string, object])[] = [
    ['closes', ['c'], 'closed', { state: 'closed' }],
    ['assigns to me', ['i'], 'assigned to you', { assignee: expect.stringMatching(/^owner-/) }],
    ['assigns', ['a', 'U', 'Enter'], 'unassigned', { assignee: null }],
    ['sets a priority by its digit', ['p', '2'], 'set to high priority', { priority: 'high' }],
    ['tags', ['t', 's', 'e', 'a', 'Enter'], 'tagged sea', { tags: ['sea'] }],
    ['moves', ['v', 'B', 'Enter'], 'moved to Billing', { mailbox: 'Billing' }],
  ];

  it.each(ACTIONS)('%s', async (_, keys, said, after) => {
    await addMailbox(console.desk, { name: 'Billing' }).catch(() => undefined);
    const [other, second, first] = (await tickets(3)) as [number, number, number];
    for (const number of [other, second, first])
      await client().put(`/v1/tickets/${number}/assignee`, { assignee: console.desk.account.owner.email });
    if (keys[0] === 'i') for (const number of [second, first]) await client().delete(`/v1/tickets/${number}/assignee`);
    const page = await openList();
    const untouched = await ticketOf(console.desk, other);
    for (const number of [first, second]) await page.getByLabel(`Select ticket ${number}`, { exact: true }).check();
    await press(page, ...keys);
    await page.getByText(`2 tickets ${said}`).waitFor();

    for (const number of [first, second]) expect(await ticketOf(console.desk, number)).toMatchObject(after);
    expect(await ticketOf(console.desk, other)).toEqual(untouched);
    expect(await page.locator('#tickets :checked').count()).toBe(0);
    expect(console.browserErrors).toEqual([]);
  });
});

describe('rows', () => {
  it('take a range of ticks with Shift, by a click and by x, and all by the checkbox of the page', async () => {
    const numbers = await tickets(6);
    const page = await openList();
    const box = (place: number) => page.locator('.ticket-row input').nth(place);
    const ticked = () => page.locator('#tickets :checked').count();
    await box(1).click();
    await box(4).click({ modifiers: ['Shift'] });
    expect(await ticked()).toBe(4);
    await page.getByText('4 selected').waitFor();
    await press(page, 'Escape');
    expect(await ticked()).toBe(0);

    await page.locator('.ticket-row a').nth(2).focus();
    await press(page, 'x', 'j', 'j', 'Shift+X');
    expect(await ticked()).toBe(3);
    await page.getByLabel('Select all tickets on this page').check();
    expect(await ticked()).toBe(numbers.length);
    await page.getByTitle('Clear the selection').click();
    expect(await ticked()).toBe(0);
  });

  it('keep their place after one is closed: j goes to the ticket that took its place', async () => {
    const [last, third, second, first] = (await tickets(4)) as [number, number, number, number];
    const page = await openList();
    await openBeside(page, first);
    await press(page, 'j', 'c');
    await page.locator(`#row-${second}`).waitFor({ state: 'detached' });
    await press(page, 'j');
    expect(await focusedRow(page)).toBe(`row-${third}`);
    await press(page, 'c');
    await page.locator(`#row-${third}`).waitFor({ state: 'detached' });
    await press(page, 'j');
    expect(await focusedRow(page)).toBe(`row-${last}`);
    await press(page, 'k');
    expect(await focusedRow(page)).toBe(`row-${first}`);
  });

  it('stay under the eye while a colleague changes other tickets', async () => {
    const numbers = await tickets(5);
    const page = await openList();
    const row = page.locator(`#row-${numbers[2]}`);
    await row.locator('a').focus();
    const before = (await row.boundingBox())!.y;
    await client().put(`/v1/tickets/${numbers[0]}/priority`, { priority: 'urgent' });
    await page.locator('.ticket-row').first().getByText('urgent').waitFor();
    await expect.poll(() => focusedRow(page)).toBe(`row-${numbers[2]}`);
    expect((await row.boundingBox())!.y).toBe(before);
    await tickets(1);
    await expect.poll(() => page.locator('.ticket-row').count()).toBe(6);
    expect((await row.boundingBox())!.y).toBe(before);
    expect(await focusedRow(page)).toBe(`row-${numbers[2]}`);
  });

  it('do not move when a ticket is opened, or when rows are ticked', async () => {
    const [number] = await tickets(1);
    const page = await openList();
    const row = page.locator(`#row-${number}`);
    const before = (await row.boundingBox())!.y;
    await row.locator('input').check();
    expect((await row.boundingBox())!.y).toBe(before);
    await page.goto(`/tickets/${number}?folder=open`);
    expect((await row.boundingBox())!.y).toBe(before);
  });
});

describe('a menu', () => {
  it('closes by Escape wherever the focus is, and returns the focus', async () => {
    const [, second] = (await tickets(2)) as [number, number];
    const page = await openList();
    await openBeside(page, second);
    await press(page, 'p');
    await page.locator('[data-tool="p"][open]').waitFor();
    await press(page, 'Escape');
    expect(await page.locator('details.menu[open]').count()).toBe(0);
    expect(await focusedRow(page)).toBe(`row-${second}`);
    await press(page, 'p');
    await composer(page).focus();
    await press(page, 'Escape');
    expect(await page.locator('details.menu[open]').count()).toBe(0);
  });

  it('keeps the priority on Enter, and takes arrows and digits', async () => {
    const [number] = (await tickets(1)) as [number];
    const page = await openList();
    await openBeside(page, number);
    const priority = async () => (await ticketOf(console.desk, number)).priority;
    await press(page, 'p', 'Enter');
    expect(await priority()).toBeNull();
    await press(page, 'p', 'ArrowUp', 'Enter');
    await page.getByText(`#${number} set to low priority.`).waitFor();
    await press(page, 'p', '1');
    await page.getByText(`#${number} set to urgent priority.`).waitFor();
    expect(await priority()).toBe('urgent');
  });
});

it('focuses the first field or choice of a menu, opened by a click or a key', async () => {
  const [number] = (await tickets(1)) as [number];
  const page = await openList();
  await openBeside(page, number);
  await press(page, 's');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('For 3 hours');
  await page.goto('/inbox?folder=open&q=Ana');
  await page.locator('#save-view summary').click();
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
});

describe('a tag', () => {
  it('completes from the known ones, and needs a Delete to be a shorter new one', async () => {
    await startTicket(console.desk, { tags: ['delivery'] });
    const [number] = (await tickets(1)) as [number];
    const page = await openList();
    await openBeside(page, number);
    await press(page, 't', 'd', 'e', 'l', 'Enter');
    await page.getByRole('button', { name: 'Remove tag delivery' }).waitFor();
    await press(page, 't', 'd', 'e', 'l', 'i', 'v', 'Delete', 'Enter');
    await page.getByRole('button', { name: 'Remove tag deliv', exact: true }).waitFor();
    expect((await ticketOf(console.desk, number)).tags.toSorted()).toEqual(['deliv', 'delivery']);
  });
});

it('keeps the selection at Enter on a checkbox, and at the first Escape after b', async () => {
  const [other] = (await tickets(1)) as [number];
  const page = await openList();
  const ticked = () => page.locator('#tickets :checked').count();
  await page.locator(`#row-${other} input`).focus();
  await press(page, 'x', 'Enter');
  expect(await ticked()).toBe(1);
  expect(await page.locator('#toasts .bad').count()).toBe(0);
  await press(page, 'b', 'Escape');
  expect(await ticked()).toBe(1);
  expect(await focusedRow(page)).toBe(`row-${other}`);
  await press(page, 'Escape');
  expect(await ticked()).toBe(0);

  await press(page, 'x', 'c');
  await closed(page, other);
  await press(page, 'z');
  await expect.poll(async () => (await ticketOf(console.desk, other)).state).not.toBe('closed');
});

async function stopsTo(page: Page, goal: string): Promise<number> {
  for (let count = 1; count <= 100; count++) {
    await press(page, 'Tab');
    if (await page.evaluate(`document.activeElement.matches('${goal}')`)) return count;
  }
  throw new Error(`no Tab stop is ${goal}`);
}

describe('Tab', () => {
  it('reaches the reply within twenty stops, with and without the skip link to it', async () => {
    const numbers = await tickets(25);
    const page = await console.signedIn();
    await page.goto(`/tickets/${numbers[7]}?folder=open`);
    const skip = await stopsTo(page, '.skip[href="#body"]');
    await press(page, 'Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('body');
    expect(skip).toBeLessThanOrEqual(3);

    await page.locator(`#row-${numbers[7]} a`).focus();
    expect(await stopsTo(page, '#body')).toBeLessThanOrEqual(20);
  });

  it('has one stop for all rows, which arrows move', async () => {
    const numbers = (await tickets(4)).toReversed();
    const page = await openList();
    const reachable = () => page.locator('.ticket-row a[tabindex="0"]').evaluateAll((links) => links.length);
    expect(await reachable()).toBe(1);
    await page.locator(`#row-${numbers[0]} a`).focus();
    await press(page, 'ArrowDown', 'ArrowDown');
    expect(await focusedRow(page)).toBe(`row-${numbers[2]}`);
    expect(await reachable()).toBe(1);
  });
});

it('shows a directly opened ticket beside the list that holds it, also after a change', async () => {
  const [number] = (await tickets(1)) as [number];
  const page = await console.signedIn();
  const current = () => page.locator('#folders [aria-current]').getAttribute('data-folder');
  const change = (path: string, body: object) => client().put(`/v1/tickets/${number}/${path}`, body);
  const shown: (string | null)[] = [];
  for (const prepare of [
    () => Promise.resolve(),
    () => change('assignee', { assignee: console.desk.account.owner.email }),
    () => change('snoozed_until', { snoozed_until: '2050-01-01T00:00:00Z' }),
    () => change('state', { state: 'spam' }),
    () => change('state', { state: 'closed' }),
    () => client().delete(`/v1/tickets/${number}`),
  ]) {
    await prepare();
    await page.goto(`/tickets/${number}`);
    await page.locator(`#row-${number} [aria-current]`).waitFor();
    shown.push(await current());
  }
  expect(shown).toEqual(['unassigned', 'mine', 'snoozed', 'spam', 'closed', 'deleted']);
  expect(new URL(page.url()).search).toContain('folder=deleted');
});
