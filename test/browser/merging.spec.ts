// @module-tag long
import { expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { newEmail, startTicket, ticketFromAna } from '#test/support/desk-records.js';
import { composer, openTicket, sentTo, ticketOf } from './support/ticket-page.js';

const console = consoleForTests();

it('keeps the text and the focus when a colleague merges the ticket, and leads to the draft in the other one', async () => {
  const [kept, gone] = [await ticketFromAna(console.desk), await ticketFromAna(console.desk)];
  const page = await openTicket(console, gone);
  await page.locator('#ticket').press('r');
  await page.keyboard.type('I could ');
  await page.getByText('Your draft is saved.').waitFor();
  await console.desk.client().post(`/v1/tickets/${gone}/merge`, { into: kept });
  const untouched = await ticketOf(console.desk, kept);
  await page.keyboard.type('c');
  await page.getByText(`#${gone} was merged into #${kept}.`).waitFor();
  await page.keyboard.type('lose it');
  expect(await composer(page).inputValue()).toBe('I could close it');
  await expect
    .poll(async () => (await console.desk.sql.query('select body from drafts')).rows)
    .toEqual([{ body: 'I could close it' }]);
  expect(await ticketOf(console.desk, kept)).toEqual(untouched);

  await page.getByRole('link', { name: `Open #${kept}` }).click();
  await page.waitForURL(`**/tickets/${kept}?folder=open`);
  expect(await composer(page).inputValue()).toBe('I could close it');
  expect(console.browserErrors).toEqual([]);
});

it('makes a reply to the customer of the merged ticket a note in the other one, and keeps it one', async () => {
  const { number: kept } = await startTicket(console.desk, { from: newEmail('wes') });
  const { number: gone } = await startTicket(console.desk, { from: newEmail('xia') });
  const page = await openTicket(console, gone);
  await page.locator('#ticket').press('r');
  await page.keyboard.type('Dear Xia');
  await page.getByText('Your draft is saved.').waitFor();
  await console.desk.client().post(`/v1/tickets/${gone}/merge`, { into: kept });
  await page.keyboard.type(', secret');
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(`**/tickets/${kept}?**`);
  expect(await composer(page).inputValue()).toBe('Dear Xia, secret');
  const note = page.getByRole('radio', { name: 'Note' });
  expect(await note.isChecked()).toBe(true);
  await page.reload();
  expect(await composer(page).inputValue()).toBe('Dear Xia, secret');
  expect(await note.isChecked()).toBe(true);
  await composer(page).press('Control+Enter');
  await page.getByText(`Note added to #${kept}.`).waitFor();
  await page.reload();

  expect(await composer(page).inputValue()).toBe('');
  expect((await sentTo(console.desk, kept)).at(-1)).toMatchObject({ body: 'Dear Xia, secret', note: true });
  expect(console.browserErrors).toEqual([]);
});
