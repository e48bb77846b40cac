import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Console, startConsole } from '../support/console.js';

describe('tickets in the console', () => {
  let console: Console;

  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.stop());

  const start = async (subject: string) => {
    const { owner, mailbox } = console.desk.account;
    const answer = await console.desk.client().post('/v1/tickets', {
      body: 'I cannot sign in since this morning.',
      from: { email: 'ana@client.example', first_name: 'Ana', last_name: 'Ruiz' },
      to: mailbox.email,
      subject,
    });
    expect(answer.status, `${owner.email} starts a ticket`).toBe(201);
    return answer.body.ticket.number as number;
  };

  it('shows a new ticket and lets it be answered', async () => {
    const number = await start('Cannot sign in');
    const page = await console.signedIn();
    await page.getByRole('link', { name: /Cannot sign in/ }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Try now, please.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('article', { name: 'Message from Maya Lind' }).waitFor();
    const { body } = await console.desk.client().get(`/v1/tickets/${number}/messages`);
    expect(body.messages.map((message: { body: string }) => message.body)).toContain('Try now, please.');
    expect(console.complaints).toEqual([]);
  });
});
