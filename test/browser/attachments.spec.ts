// @module-tag long
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { composer, openTicket, send, sentTo } from './support/ticket-page.js';
import { seedAccount } from '#test/support/seed.js';
import { formOf, postFiles } from '#test/support/upload.js';

const CSV = { name: 'Rückgabe “2026”.csv', mimeType: 'text/csv', buffer: Buffer.from('item,count\ntent,2\n') };
const PROGRAM = { name: 'invoice.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') };

describe('the file picker', () => {
  const console = consoleForTests();

  for (const javaScriptEnabled of [true, false])
    it(`sends files with replies, notes and new tickets, and they download unchanged, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      const page = await console.signedIn(undefined, { javaScriptEnabled });
      await page.goto('/tickets/new');
      await page.getByLabel('To', { exact: true }).fill('ana@client.example');
      await page.getByLabel('Message', { exact: true }).fill('Please fill in the list.');
      await page.getByLabel('Attach files').setInputFiles([CSV, { ...CSV, name: 'second.csv' }]);
      await page.getByRole('button', { name: 'Create ticket' }).click();
      await page.getByText(/Ticket #\d+ created\./).waitFor();
      expect(await attachedTo(page, 'Message from Maya Lind')).toEqual([`${CSV.name} 18 B`, 'second.csv 18 B']);

      await page.getByText('Note', { exact: true }).click();
      await composer(page).fill('What they sent by post.');
      await page.getByLabel('Attach files').setInputFiles([{ ...CSV, name: 'scan.csv' }]);
      await send(page);
      await page.getByRole('article', { name: 'Internal note from Maya Lind' }).waitFor();
      expect(await attachedTo(page, 'Internal note from Maya Lind')).toEqual(['scan.csv 18 B']);

      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: CSV.name }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(CSV.name);
      expect(await readFile(await download.path())).toEqual(CSV.buffer);
      expect(console.browserErrors).toEqual([]);
    });

  it('stops the message when a file is refused, and keeps the typed text', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number, { javaScriptEnabled: false });
    await composer(page).fill('See the file.');
    await page.getByLabel('Attach files').setInputFiles([CSV, PROGRAM]);
    await send(page);
    await page.getByRole('alert').getByText('cannot be attached').waitFor();
    expect(await composer(page).inputValue()).toBe('See the file.');
    expect(await sentTo(console.desk, number)).toEqual([]);
    expect((await console.desk.sql.query('select from stray_files')).rows).toEqual([]);
  });

  it('ignores the files of a forged form', async () => {
    const page = await console.signedIn();
    const number = await ticketFromAna(console.desk);
    const answer = await page.request.post(`/tickets/${number}/messages`, {
      multipart: { csrf: 'guessed', body: 'Hello', files: { ...CSV, buffer: Buffer.alloc(3_000_000) } },
    });
    expect(answer.status()).toBe(403);
    expect((await console.desk.sql.query('select from stray_files')).rows).toEqual([]);
    expect((await page.goto('/inbox'))?.status()).toBe(200);
  });

  it('offers no download of another account’s file', async () => {
    const other = await seedAccount(console.desk.sql);
    const client = console.desk.client(other.owner.token);
    const wanted = { body: 'Hello', from: 'ana@client.example', to: other.mailbox.email };
    const { number } = (await client.post('/v1/tickets', wanted)).body.ticket;
    const { messages } = (await client.get(`/v1/tickets/${number}/messages`)).body;
    const form = formOf([{ name: 'secret.txt', bytes: 'secret' }]);
    const { body } = await postFiles(console.desk, messages[0].id as string, form, { token: other.owner.token });
    const page = await console.signedIn();
    for (const path of ['', '/image'])
      expect((await page.goto(`/attachments/${body.attachments[0].id}${path}`))?.status()).toBe(404);
  });
});

async function attachedTo(page: Page, message: string): Promise<string[]> {
  const files = page.getByRole('article', { name: message }).getByRole('list', { name: 'Attachments' });
  const texts = await files.getByRole('listitem').allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}
