import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { seedAgent } from '../support/seed.js';

const ARABIC = 'مرحبا، لا أستطيع تسجيل الدخول منذ هذا الصباح';

let console: TestConsole;
let page: Page;
beforeAll(async () => {
  console = await startConsole();
  page = await console.signedIn();
});
afterAll(() => console.stop());

async function newTicket(body = 'Hello', subject = 'A question'): Promise<number> {
  const wanted = { body, subject, from: 'ana@client.example', to: console.desk.account.mailbox.email };
  return (await console.desk.client().post('/v1/tickets', wanted)).body.ticket.number as number;
}

describe('a page that is not there or not allowed', () => {
  it('leads home', async () => {
    for (const path of ['/nowhere', '/tickets/999999', '/settings/nothing']) {
      await page.goto(path);
      await page.getByRole('link', { name: 'Go to the inbox' }).click();
      await page.waitForURL('**/inbox*');
    }
    const agent = await seedAgent(console.desk.sql, console.desk.account.id, {
      email: 'plain@acme.test',
      role: 'agent',
    });
    const theirs = await console.signedIn(agent.email);
    await theirs.goto('/settings/mailboxes');
    expect(await theirs.getByRole('link', { name: 'Go to the inbox' }).count()).toBe(1);
  });
});

describe('a ticket', () => {
  it('in Arabic reads from right to left, in the list, the title, the thread and the composer', async () => {
    await page.goto(`/tickets/${await newTicket(ARABIC, ARABIC)}?folder=open`);
    await page.getByRole('textbox', { name: 'Message' }).fill(ARABIC);
    const directions =
      await page.evaluate(`['.ticket-row:has([aria-current]) .subject', '#facts h1', '.message .body', '#body']
      .map((selector) => getComputedStyle(document.querySelector(selector)).direction)`);
    expect(directions).toEqual(['rtl', 'rtl', 'rtl', 'rtl']);
  });

  it('takes the next tag in an empty field', async () => {
    await page.goto(`/tickets/${await newTicket()}`);
    const field = page.getByRole('combobox', { name: 'Add a tag' });
    await field.fill('billing');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Remove tag billing' }).waitFor();
    await eventually(async () => (await field.inputValue()) === '');
    expect(await page.getByRole('button', { name: 'Remove tag billing' }).count()).toBe(1);
  });

  it('prints its conversation and nothing else', async () => {
    await page.goto(`/tickets/${await newTicket('Please print me.')}`);
    await page.emulateMedia({ media: 'print' });
    const shown = await Promise.all(
      ['.rail', '.list', '#composer', '.ticket-tools', '.message', '#facts h1'].map((part) =>
        page.locator(part).first().isVisible(),
      ),
    );
    await page.emulateMedia({ media: null });
    expect(shown).toEqual([false, false, false, false, true, true]);
  });

  it('says what was done where no button is covered', async () => {
    await page.goto(`/tickets/${await newTicket()}`);
    await page.getByRole('textbox', { name: 'Message' }).fill('Done.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const toast = (await page.locator('#toasts .notice').boundingBox())!;
    const sending = (await page.getByRole('button', { name: 'Send and close' }).boundingBox())!;
    expect(toast.x + toast.width).toBeLessThan(sending.x);
  });
});

describe('settings', () => {
  it('tell what is wrong with a mailbox at that mailbox, and keep what was typed', async () => {
    await page.goto('/settings/mailboxes');
    await page.getByRole('form', { name: 'Add a mailbox' }).getByLabel('Name').fill('Sales');
    await page.getByRole('form', { name: 'Add a mailbox' }).getByLabel('E-mail').fill('sales@acme.test');
    await page.getByRole('button', { name: 'Add mailbox' }).click();
    const sales = page.getByRole('region', { name: 'Sales' });
    await sales.getByLabel('E-mail').fill(console.desk.account.mailbox.email);
    await sales.getByLabel('Name').fill('Sales EU');
    await sales.getByRole('button', { name: 'Save' }).click();
    await sales.getByRole('alert').waitFor();
    expect(await sales.getByLabel('Name').inputValue()).toBe('Sales EU');
    expect(await page.getByRole('form', { name: 'Add a mailbox' }).getByLabel('Name').inputValue()).toBe('');
  });

  it('offer no archived agent as a member of a group', async () => {
    const { email } = await seedAgent(console.desk.sql, console.desk.account.id, { email: 'gone@acme.test' });
    await console.desk.client().put(`/v1/agents/${email}`, { first_name: 'Gone', last_name: 'Agent' });
    await console.desk.client().post('/v1/groups', { name: 'Old', members: [email] });
    await console.desk.client().post('/v1/groups', { name: 'New' });
    await console.desk.client().post(`/v1/agents/${email}/archive`, {});
    await page.goto('/settings/groups');
    expect(await page.getByRole('form', { name: 'New' }).getByLabel('Gone Agent').count()).toBe(0);
  });
});
