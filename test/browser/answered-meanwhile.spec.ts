// @module-tag long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { seedAgent } from '#test/support/seed.js';
import { pressSend } from './support/press-send.js';

/** Rounds to run; `CLASH_ROUNDS=200` makes a thorough run. */
const ROUNDS = Number(process.env['CLASH_ROUNDS'] ?? 4);
const TIMEOUT_MS = 30_000 + ROUNDS * 3_000;
const PER_PAGE = 50;
const FILE = { name: 'notes.csv', mimeType: 'text/csv', buffer: Buffer.from('item,count\n') };

let console: TestConsole;
let noahsEmail: string;

beforeAll(async () => {
  console = await startConsole();
  noahsEmail = (await seedAgent(console.desk.sql, console.desk.account.id, { email: 'noah@acme.test' })).email;
  await console.desk.client().put(`/v1/agents/${noahsEmail}`, { first_name: 'Noah', last_name: 'Berg' });
});
afterAll(() => console.stop());

const post = (number: number, message: object) => console.desk.client().post(`/v1/tickets/${number}/messages`, message);

interface SentMessage {
  readonly body: string;
  readonly attachments: { filename: string }[];
}

async function sentTo(number: number): Promise<SentMessage[]> {
  const sent: SentMessage[] = [];
  for (let page = 1; sent.length === (page - 1) * PER_PAGE; page++)
    sent.push(
      ...(await console.desk.client().get(`/v1/tickets/${number}/messages?per_page=${PER_PAGE}&page=${page}`)).body
        .messages,
    );
  return sent.slice(1);
}

const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();
const heldBack = (page: Page, words: RegExp) => page.getByRole('alert').getByText(words).waitFor();

describe.each([
  ['with a script', { javaScriptEnabled: true }],
  ['without a script', { javaScriptEnabled: false }],
])('a reply overtaken by another, %s', (_, options) => {
  it('keeps its text and files, shows the other reply, and goes out on a second press', async () => {
    const number = await ticketFromAna(console.desk);
    const noah = await console.signedIn(noahsEmail, options);
    await noah.goto(`/tickets/${number}?folder=open`);
    await composer(noah).fill('From Noah.');
    await noah.getByLabel('Attach files').setInputFiles([FILE]);
    await post(number, { body: 'From Maya.' });
    await send(noah);

    await heldBack(noah, /^Maya Lind replied at \d\d:\d\d\./);
    await noah.getByRole('article', { name: 'Message from Maya Lind' }).waitFor();
    expect(await composer(noah).inputValue()).toBe('From Noah.');
    expect((await sentTo(number)).map(({ body }) => body)).toEqual(['From Maya.']);

    await send(noah);
    await noah.getByRole('article', { name: 'Message from Noah Berg' }).waitFor();
    expect(await sentTo(number)).toMatchObject([
      { body: 'From Maya.' },
      { body: 'From Noah.', attachments: [{ filename: FILE.name }] },
    ]);
    expect(await composer(noah).inputValue()).toBe('');
    expect((await console.desk.sql.query('select from stray_files')).rowCount).toBe(0);
    expect(console.browserErrors).toEqual([]);
  });

  it('waits for confirmation when the customer wrote in between', async () => {
    const number = await ticketFromAna(console.desk);
    const noah = await console.signedIn(noahsEmail, options);
    await noah.goto(`/tickets/${number}?folder=open`);
    await composer(noah).fill('It is still broken, sorry.');
    await post(number, { body: 'It works now, thank you!', author: 'ana@client.example' });
    await send(noah);

    await heldBack(noah, /^ana@client.example wrote at \d\d:\d\d\./);
    expect(await composer(noah).inputValue()).toBe('It is still broken, sorry.');
    expect(await sentTo(number)).toHaveLength(1);
  });
});

describe('two agents who reply within the same second', () => {
  it('store every text once, with one reply held back and kept', { timeout: TIMEOUT_MS }, async () => {
    const pages = [await console.signedIn(), await console.signedIn(noahsEmail)];
    const number = await ticketFromAna(console.desk);
    for (const page of pages) await page.goto(`/tickets/${number}?folder=open`);
    const texts: string[] = [];
    const outcomes: (readonly string[])[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const written = [`Maya ${round}.`, `Noah ${round}.`];
      for (const [place, page] of pages.entries()) await composer(page).fill(written[place]!);
      outcomes.push((await Promise.all(pages.map((page, place) => sendUntilSent(page, written[place]!)))).flat());
      texts.push(...written);
    }

    expect((await sentTo(number)).map(({ body }) => body).toSorted()).toEqual(texts.toSorted());
    expect(outcomes.filter((round) => !round.includes('held back, kept'))).toEqual([]);
    expect(outcomes.flat().filter((outcome) => outcome === 'held back, lost')).toEqual([]);
  });
});

/** Presses Send until the reply goes out, because another reply can overtake it again. */
async function sendUntilSent(page: Page, text: string): Promise<string[]> {
  const outcomes: string[] = [];
  while ((await pressSend(page)) === 'held back') {
    const kept = (await composer(page).inputValue()) === text;
    outcomes.push(kept ? 'held back, kept' : 'held back, lost');
  }
  return [...outcomes, 'sent'];
}
