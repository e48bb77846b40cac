import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';

describe('the ticket page', () => {
  let console: TestConsole;

  beforeAll(async () => {
    console = await startConsole();
    await console.desk.client().post('/v1/mailboxes', { name: 'Billing', email: 'billing@acme.test' });
  });
  afterAll(() => console.stop());

  for (const javaScriptEnabled of [true, false])
    it(`replies, adds notes, assigns, tags, moves and closes, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      const number = await start(console, `Cannot sign in, ${javaScriptEnabled ? 'one' : 'two'}`);
      const page = await console.signedIn(undefined, { javaScriptEnabled });
      await page.getByRole('link', { name: new RegExp(`#${number}\\b`) }).click();

      await page.getByRole('textbox', { name: 'Message' }).fill('Try now, please.');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('article', { name: 'Message from Maya Lind' }).waitFor();

      await page.getByText('Note', { exact: true }).click();
      await page.getByRole('textbox', { name: 'Message' }).fill('It was the cache.');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('article', { name: 'Internal note from Maya Lind' }).waitFor();

      await tool(page, 'Assign').click();
      await page.getByRole('button', { name: 'Assign to me' }).click();
      await tool(page, 'Assigned to Maya Lind').waitFor();

      await tool(page, 'Priority').click();
      await page.getByRole('button', { name: 'urgent' }).click();
      await page.getByText('set the priority to urgent').waitFor();

      await page.locator('#add-tag').fill('login');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('button', { name: 'Remove tag login' }).waitFor();

      await tool(page, 'Mailbox: Support').click();
      await page.getByRole('form', { name: 'Move' }).getByLabel('Mailbox').selectOption('Billing');
      await page.getByRole('button', { name: 'Move', exact: true }).last().click();
      await tool(page, 'Mailbox: Billing').waitFor();

      await page.getByRole('button', { name: 'Close', exact: true }).last().click();
      await page.getByRole('button', { name: 'Reopen' }).waitFor();

      const { ticket } = (await console.desk.client().get(`/v1/tickets/${number}`)).body;
      expect(ticket).toMatchObject({
        state: 'closed',
        assignee: console.desk.account.owner.email,
        priority: 'urgent',
        tags: ['login'],
        mailbox: 'Billing',
        message_count: 3,
        closed_by: console.desk.account.owner.email,
      });
      expect(console.browserErrors).toEqual([]);
    });

  it('emits the same events as the API calls', async () => {
    const page = await console.signedIn();
    const client = console.desk.client();
    const [clicked, called] = [await start(console, 'By hand'), await start(console, 'By program')];
    await open(page, clicked);
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello.');
    await page.getByRole('button', { name: 'Send and close' }).click();
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    await client.post(`/v1/tickets/${called}/messages`, { body: 'Hello.' });
    await client.put(`/v1/tickets/${called}/state`, { state: 'closed' });
    const kinds = async (number: number) => {
      const { rows } = await console.desk.sql.query<{ kind: string }>(
        'select e.kind from activities a join events e on e.id = a.id where a.subject = $1 order by e.sequence',
        [`#${number}`],
      );
      return rows.map(({ kind }) => kind);
    };
    expect(await kinds(clicked)).toEqual(await kinds(called));
  });

  it('opens the next ticket after sending, if the agent prefers that', async () => {
    const [lower, upper] = [await start(console, 'Lower'), await start(console, 'Upper')];
    const page = await console.signedIn();
    await open(page, upper);
    await page.getByLabel('After sending').selectOption('next');
    await page.getByRole('textbox', { name: 'Message' }).fill('Done.');
    await page.getByRole('button', { name: 'Send and close' }).click();
    await page.waitForURL(`**/tickets/${lower}?**`);
    expect(await page.locator('h1').textContent()).toBe('Lower');
  });

  it('keeps typed text across a reload, until it is sent', async () => {
    const number = await start(console, 'A long story');
    const page = await console.signedIn();
    await open(page, number);
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('Half of an answ');
    await page.reload();
    expect(await message.inputValue()).toBe('Half of an answ');
    await message.press('Control+Enter');
    await page.getByRole('article', { name: 'Message from Maya Lind' }).waitFor();
    await page.reload();
    expect(await message.inputValue()).toBe('');
  });

  it('keeps typed text when the server refuses it, also without a script', async () => {
    const number = await start(console, 'Deleted meanwhile');
    const page = await console.signedIn(undefined, { javaScriptEnabled: false });
    await open(page, number);
    await page.getByRole('textbox', { name: 'Message' }).fill('x'.repeat(500_001));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect((await page.getByRole('textbox', { name: 'Message' }).inputValue()).length).toBe(500_001);
  });

  it('changes several tickets together', async () => {
    const numbers = [await start(console, 'Bulk one'), await start(console, 'Bulk two')];
    const page = await console.signedIn();
    for (const number of numbers) await page.getByRole('checkbox', { name: `Select ticket ${number}` }).check();
    await page.getByText('2 selected').waitFor();
    await page.getByLabel('Assign to').selectOption({ label: 'Maya Lind' });
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.getByText('2 tickets assigned to you.').waitFor();
    const client = console.desk.client();
    for (const number of numbers)
      expect((await client.get(`/v1/tickets/${number}`)).body.ticket.assignee).toBe(console.desk.account.owner.email);
  });

  it('deletes a ticket, lists it in Deleted, and restores it', async () => {
    const number = await start(console, 'Gone and back');
    const page = await console.signedIn();
    await open(page, number);
    await tool(page, 'More').click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete ticket' }).click();
    await page.getByText(`Ticket #${number} deleted.`).waitFor();
    await page.getByRole('link', { name: /^Deleted/ }).click();
    await page.getByRole('link', { name: new RegExp(`#${number}\\b`) }).click();
    await page.getByRole('article', { name: 'Message from Ana Ruiz' }).getByText('I cannot sign in').waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Restore' }).last().click();
    await page.getByText(`Ticket #${number} restored.`).waitFor();
    expect((await console.desk.client().get(`/v1/tickets/${number}`)).status).toBe(200);
  });

  it('starts a ticket to a new customer', async () => {
    const page = await console.signedIn();
    await page.getByRole('link', { name: 'New ticket' }).click();
    await page.getByLabel('To', { exact: true }).fill('new@client.example');
    await page.getByLabel('First name').fill('Bo');
    await page.getByLabel('Subject').fill('Your visit');
    await page.getByLabel('Message').fill('We look forward to it.');
    await page.getByRole('button', { name: 'Create ticket' }).click();
    await page.getByText(/Ticket #\d+ created\./).waitFor();
    const { body } = await console.desk.client().get('/v1/customers/new@client.example');
    expect(body.customer.first_name).toBe('Bo');
  });

  it('adds new tickets to an open list, with the new count', async () => {
    const page = await console.signedIn();
    await page.goto('/inbox?folder=open');
    const before = Number(await page.locator('[data-folder="open"] .count').textContent());
    await start(console, 'Out of the blue');
    await page.getByRole('link', { name: /Out of the blue/ }).waitFor();
    expect(Number(await page.locator('[data-folder="open"] .count').textContent())).toBe(before + 1);
  });

  it('works with the keyboard alone', async () => {
    const number = await start(console, 'By keyboard');
    const page = await console.signedIn();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'By keyboard' }).waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await tool(page, 'Assigned to Maya Lind').waitFor();
    await page.keyboard.press('p');
    await page.keyboard.press('Enter');
    await page.getByText('set the priority to urgent').waitFor();
    await page.keyboard.press('t');
    await page.keyboard.type('keys');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove tag keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await page.keyboard.type('All done.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article', { name: 'Message from Maya Lind' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.waitForURL('**/inbox?folder=mine');
    const { ticket } = (await console.desk.client().get(`/v1/tickets/${number}`)).body;
    expect(ticket).toMatchObject({ state: 'closed', priority: 'urgent', tags: ['keys'] });
    expect(console.browserErrors).toEqual([]);
  });
});

async function start(console: TestConsole, subject: string): Promise<number> {
  const answer = await console.desk.client().post('/v1/tickets', {
    body: 'I cannot sign in since this morning.',
    from: { email: 'ana@client.example', first_name: 'Ana', last_name: 'Ruiz' },
    to: console.desk.account.mailbox.email,
    subject,
  });
  return answer.body.ticket.number as number;
}

async function open(page: Page, number: number): Promise<void> {
  await page.goto(`/tickets/${number}?folder=open`);
}

const tool = (page: Page, label: string): Locator => page.locator('#facts summary', { hasText: label });
