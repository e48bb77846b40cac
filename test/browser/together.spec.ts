// @module-tag long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { eventually } from '#test/support/eventually.js';
import { type SeededAgent, seedAgent } from '#test/support/seed.js';
import { pressSend } from './support/press-send.js';

const SECOND_MS = 1000;
const TIMES = 5;

describe('two agents on one ticket', () => {
  let console: TestConsole;
  let other: SeededAgent;
  let maya: Page;
  let noah: Page;
  let number: number;

  beforeAll(async () => {
    console = await startConsole();
    other = await seedAgent(console.desk.sql, console.desk.account.id, { email: 'noah@acme.test' });
    await console.desk.client().put(`/v1/agents/${other.email}`, { first_name: 'Noah', last_name: 'Berg' });
    [maya, noah] = [await console.signedIn(), await console.signedIn(other.email)];
  });
  afterAll(() => console.stop());

  beforeEach(async () => {
    const wanted = { body: 'Hello', from: 'ana@client.example', to: console.desk.account.mailbox.email };
    number = (await console.desk.client().post('/v1/tickets', wanted)).body.ticket.number as number;
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

  it('lose nothing when both send at once, and keep the text they are typing', async () => {
    await composer(noah).fill('From Noah.');
    await composer(maya).fill('From Maya.');
    await Promise.all([maya, noah].map(sendAnyway));
    await maya.getByText('From Noah.', { exact: true }).waitFor();
    await noah.getByText('From Maya.', { exact: true }).waitFor();
    const { messages } = (await console.desk.client().get(`/v1/tickets/${number}/messages`)).body;
    const bodies = (messages as { body: string }[]).map(({ body }) => body);
    expect(bodies.toSorted()).toEqual(['From Maya.', 'From Noah.', 'Hello']);
    for (const page of [maya, noah]) await eventually(async () => (await composer(page).inputValue()) === '');

    await composer(maya).fill('Half of an answ');
    await console.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'One more.' });
    await maya.getByText('One more.', { exact: true }).waitFor();
    expect(await composer(maya).inputValue()).toBe('Half of an answ');
    expect(console.browserErrors).toEqual([]);
  });
});

const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });

/** Confirms the reply if another one overtook it. */
async function sendAnyway(page: Page): Promise<void> {
  while ((await pressSend(page)) === 'held back');
}

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
