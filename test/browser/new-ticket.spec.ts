// @module-tag long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { eventually } from '#test/support/eventually.js';

let console: TestConsole;
let page: Page;
beforeAll(async () => {
  console = await startConsole();
  page = await console.signedIn();
  const client = console.desk.client();
  await client.post('/v1/mailboxes', { name: 'Billing', email: 'billing@acme.test' });
  for (const [email, first_name, last_name, company_name] of [
    ['ana@client.example', 'Ana', 'Ruiz', 'Northwind'],
    ['bo@other.example', 'Bo', 'Lind', null],
  ])
    await client.post('/v1/customers', { email, first_name, last_name, company_name });
});
afterAll(() => console.stop());

const offered = (shown: Page): Promise<string[]> =>
  shown.evaluate(
    "[...document.querySelectorAll('#known-customers option')].map(({ value, label }) => `${value} ${label}`)",
  );

describe('the form for a new ticket', () => {
  it('suggests customers whose name, company or address contains the typed text', async () => {
    await page.goto('/tickets/new');
    const to = page.getByLabel('To', { exact: true });
    for (const typed of ['rui', 'north', 'ana@cl']) {
      await to.fill('');
      await eventually(async () => (await offered(page)).length === 0);
      await to.pressSequentially(typed);
      await eventually(async () => (await offered(page)).join() === 'ana@client.example Ana Ruiz, Northwind');
    }
    expect(console.browserErrors).toEqual([]);
  });

  it.each([true, false])('starts with the mailbox that was used last, with a script: %s', async (javaScriptEnabled) => {
    const writing = await console.signedIn(undefined, { javaScriptEnabled });
    await writing.goto('/tickets/new');
    expect(await writing.getByLabel('Mailbox', { exact: true }).inputValue()).toBe('Support');
    await writing.getByLabel('To', { exact: true }).fill('ana@client.example');
    await writing.getByLabel('Message', { exact: true }).fill('About your invoice.');
    await writing.getByLabel('Mailbox', { exact: true }).selectOption('Billing');
    await writing.getByRole('button', { name: 'Create ticket' }).click();
    await writing.getByText(/Ticket #\d+ created\./).waitFor();
    await writing.goto('/tickets/new');
    expect(await writing.getByLabel('Mailbox', { exact: true }).inputValue()).toBe('Billing');
  });
});
