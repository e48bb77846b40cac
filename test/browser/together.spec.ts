// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { addGroup, startTicket, ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { type SeededAgent, seedAgent } from '#test/support/seed.js';
import { composer, seedNoah } from './support/ticket-page.js';

const SECOND_MS = 1000;
const TIMES = 5;

const console = consoleForTests();

describe('two agents on one ticket', () => {
  let other: SeededAgent;
  let maya: Page;
  let noah: Page;
  let number: number;

  beforeAll(async () => {
    other = await seedNoah(console.desk);
    [maya, noah] = [await console.signedIn(), await console.signedIn(other.email)];
  });

  beforeEach(async () => {
    number = await ticketFromAna(console.desk);
    for (const page of [maya, noah]) await page.goto(`/tickets/${number}?folder=open`);
    await maya.getByText('Noah Berg is viewing').waitFor();
    await noah.getByText('Maya Lind is viewing').waitFor();
  });

  it('see each other arrive, type and leave within a second', async () => {
    const typing = seenIn(maya, 'Noah Berg is replying');
    const typedAt = Date.now();
    await composer(noah).press('I');
    expect((await typing) - typedAt).toBeLessThan(SECOND_MS);

    const gone = unseenIn(maya, 'Noah Berg is');
    const leftAt = Date.now();
    await noah.goto('/profile');
    expect((await gone) - leftAt).toBeLessThan(SECOND_MS);

    const come = seenIn(maya, 'Noah Berg is viewing');
    const openedAt = Date.now();
    await noah.goto(`/tickets/${number}?folder=open`);
    expect((await come) - openedAt).toBeLessThan(SECOND_MS);
  });

  it('see each other’s changes within a second', async () => {
    const took: number[] = [];
    for (let time = 1; time <= TIMES; time++) {
      const seen = seenIn(maya, `Answer ${time}.`);
      await composer(noah).fill(`Answer ${time}.`);
      await composer(noah).press('Control+Enter');
      const at = await seen;
      // The sender’s own page can answer later than the other page, and accepts new text only then.
      await eventually(async () => (await composer(noah).inputValue()) === '');
      const { messages } = (await console.desk.client().get(`/v1/tickets/${number}/messages`)).body;
      took.push(at - new Date(messages.at(-1).created_at as string).getTime());
    }
    expect(Math.max(...took)).toBeLessThan(SECOND_MS);
  });
});

describe('the sidebar of an open page', () => {
  it('shows a group that the agent joins, and counts each ticket that is assigned to it or taken from it', async () => {
    const { sql, account } = console.desk;
    const { email } = await seedAgent(sql, account.id);
    const pages = [await console.signedIn(), await console.signedIn(email)];
    const group = await addGroup(console.desk, { members: [account.owner.email, email] });
    const assign = (number: number, to: string | null) =>
      console.desk.client().put(`/v1/tickets/${number}/assigned_group`, { assigned_group: to });
    const show = (count: string) =>
      eventually(async () => (await countsIn(pages, '#groups')).every((one) => one === count));

    const numbers: number[] = [];
    for (const count of ['1', '2', '3']) {
      numbers.push(await ticketFromAna(console.desk));
      await assign(numbers.at(-1)!, group.name);
      await show(count);
    }
    await assign(numbers[0]!, null);
    await show('2');
    expect(await countsIn(pages, '#groups')).toEqual(['2', '2']);
  });

  it('counts a mention', async () => {
    const { email } = await seedAgent(console.desk.sql, console.desk.account.id);
    const page = await console.signedIn(email);
    const number = await ticketFromAna(console.desk);
    await console.desk.client().post(`/v1/tickets/${number}/messages`, { body: `@${email}`, note: true });

    expect(await page.locator('[data-folder="mentioned"] .count').textContent()).toBe('1');
  });
});

const countsIn = (pages: readonly Page[], links: string): Promise<string[]> =>
  Promise.all(pages.map(async (page) => (await page.locator(`${links} .count`).allTextContents()).join(' ')));

it('keeps the result of an action when an older refresh arrives', async () => {
  const { number } = await startTicket(console.desk);
  const page = await console.signedIn();
  await page.goto(`/tickets/${number}?folder=open`);
  await page.getByRole('button', { name: 'Close', exact: true }).last().waitFor();

  let refreshes = 0;
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/tickets/${number}?folder=open`, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    refreshes += 1;
    await released;
    await route.fulfill({ response });
  });
  await console.desk.client().put(`/v1/tickets/${number}/tags`, ['vip']);
  await eventually(() => refreshes === 1);

  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  const reopen = page.getByRole('button', { name: 'Reopen' });
  await reopen.waitFor();
  const hidden = page.evaluate(`new Promise((resolve) => {
    const isHidden = () => !document.querySelector('#ticket').textContent.includes('Reopen');
    new MutationObserver(() => isHidden() && resolve(true)).observe(document.body, { subtree: true, childList: true });
    addEventListener('test:over', () => resolve(false));
  })`);
  release!();
  await eventually(() => refreshes >= 2);
  await page.getByRole('button', { name: 'Remove tag vip' }).waitFor();
  await page.evaluate(`dispatchEvent(new Event('test:over'))`);

  expect(await hidden).toBe(false);
  expect(console.browserErrors).toEqual([]);
});

/** When the text appears, by the clock of the page, which runs on this machine. */
const seenIn = (page: Page, text: string): Promise<number> => change(page, text, true);
const unseenIn = (page: Page, text: string): Promise<number> => change(page, text, false);

function change(page: Page, text: string, there: boolean): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const looks = () => document.querySelector('#ticket').textContent.includes(${JSON.stringify(text)}) === ${there};
    const observer = new MutationObserver(() => {
      if (looks()) { observer.disconnect(); resolve(Date.now()); }
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    if (looks()) { observer.disconnect(); resolve(Date.now()); }
  })`) as Promise<number>;
}
