// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { newEmail, ticketFromAna } from '#test/support/desk-records.js';
import { mailText, newMailId, processed } from '#test/support/mails.js';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
  await console.desk.worker();
});
afterAll(() => console.stop());

describe('the composer', () => {
  it('warns when the last author is not the customer', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await console.signedIn();
    await page.goto(`/tickets/${number}`);
    const warning = page.locator('#recipient-warning');
    const write = (author: string) =>
      console.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Me again.', author });
    expect(await warning.textContent()).toBe('');

    await page.getByRole('textbox', { name: 'Message' }).fill('Half an ans');
    const other = newEmail('other');
    await write(other);
    await warning.getByText(`${other} wrote last, but your reply goes to ana@client.example.`).waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Half an ans');
    await write('ana@client.example');
    await warning.getByText('wrote last').waitFor({ state: 'detached' });
    expect(console.browserErrors).toEqual([]);
  });
});

describe('a ticket that an email opened instead of joining another', () => {
  it('links to the other ticket', async () => {
    const id = newMailId();
    const { ticket } = await processed(console.desk, mailText({ From: newEmail(), 'Message-ID': id }));
    const beside = await processed(console.desk, mailText({ From: newEmail(), 'In-Reply-To': id }));
    const page = await console.signedIn();
    await page.goto(`/tickets/${beside.ticket.number}`);
    await page.getByText('An email opened this because its sender is not part of ticket').waitFor();
    await page.getByRole('link', { name: `#${ticket.number}`, exact: true }).click();
    await page.waitForURL(`**/tickets/${ticket.number}`);

    expect(console.browserErrors).toEqual([]);
  });
});
