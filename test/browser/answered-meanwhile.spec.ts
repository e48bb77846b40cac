// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { pressSend } from './support/press-send.js';
import {
  BROWSERS,
  FILE,
  composer,
  messageFromMaya,
  openTicket,
  seedNoah,
  send,
  sentTo,
} from './support/ticket-page.js';

const ROUNDS = 4;
const TIMEOUT_MS = 45_000;

const console = consoleForTests();
let noahsEmail: string;
beforeAll(async () => void (noahsEmail = (await seedNoah(console.desk)).email));

const post = (number: number, message: object) => console.desk.client().post(`/v1/tickets/${number}/messages`, message);
const heldBack = (page: Page, words: RegExp) => page.getByRole('alert').getByText(words).waitFor();

describe.each(BROWSERS)('a reply overtaken by another, %s', (_, options) => {
  it('keeps its text and files, shows the other reply, and goes out on a second press', async () => {
    const number = await ticketFromAna(console.desk);
    const noah = await openTicket(console, number, { email: noahsEmail, ...options });
    await composer(noah).fill('From Noah.');
    await noah.getByLabel('Attach files').setInputFiles([FILE]);
    await post(number, { body: 'From Maya.' });
    await send(noah);

    await heldBack(noah, /^Maya Lind replied at \d\d:\d\d\./);
    await messageFromMaya(noah).waitFor();
    expect(await composer(noah).inputValue()).toBe('From Noah.');
    expect((await sentTo(console.desk, number)).map(({ body }) => body)).toEqual(['From Maya.']);

    await send(noah);
    await noah.getByRole('article', { name: 'Message from Noah Berg' }).waitFor();
    expect(await sentTo(console.desk, number)).toMatchObject([
      { body: 'From Maya.' },
      { body: 'From Noah.', attachments: [{ filename: FILE.name }] },
    ]);
    expect(await composer(noah).inputValue()).toBe('');
    expect((await console.desk.sql.query('select from stray_files')).rowCount).toBe(0);
    expect(console.browserErrors).toEqual([]);
  });

  it('waits for confirmation when the customer wrote in between', async () => {
    const number = await ticketFromAna(console.desk);
    const noah = await openTicket(console, number, { email: noahsEmail, ...options });
    await composer(noah).fill('It is still broken, sorry.');
    await post(number, { body: 'It works now, thank you!', author: 'ana@client.example' });
    await send(noah);

    await heldBack(noah, /^ana@client.example wrote at \d\d:\d\d\./);
    expect(await composer(noah).inputValue()).toBe('It is still broken, sorry.');
    expect(await sentTo(console.desk, number)).toHaveLength(1);
  });
});

describe('two agents who reply within the same second', () => {
  it('store every text once, with one reply held back and kept', { timeout: TIMEOUT_MS }, async () => {
    const number = await ticketFromAna(console.desk);
    const pages = [await openTicket(console, number), await openTicket(console, number, { email: noahsEmail })];
    const texts: string[] = [];
    const outcomes: (readonly string[])[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const written = [`Maya ${round}.`, `Noah ${round}.`];
      for (const [place, page] of pages.entries()) await composer(page).fill(written[place]!);
      outcomes.push((await Promise.all(pages.map((page, place) => sendUntilSent(page, written[place]!)))).flat());
      texts.push(...written);
    }

    expect((await sentTo(console.desk, number)).map(({ body }) => body).toSorted()).toEqual(texts.toSorted());
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
