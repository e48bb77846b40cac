// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { addMailbox, startTicket } from '#test/support/desk-records.js';
import { mailText, processed } from '#test/support/mails.js';
import { NextHop } from '#test/support/next-hop.js';
import { eventually } from '#test/support/eventually.js';
import { runCli } from './run.js';

let desk: Desk;
let hop: NextHop;
beforeAll(async () => {
  hop = await NextHop.start();
  desk = await startDesk({ settings: { SMTP_URL: hop.url } });
  await desk.worker();
});
afterAll(async () => {
  await desk.stop();
  await hop.stop();
});

const run = (...args: string[]) => runCli(['mail', ...args, '--json'], desk.environment);

async function failedReply(mailbox: string): Promise<string> {
  hop.answer({ refuse: '554 5.7.1 No' });
  const { number } = await startTicket(desk, { mailbox });
  const { body } = await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'It is on its way.' });
  const id = body.message.id as string;
  await eventually(async () => (await desk.client().get(`/v1/messages/${id}`)).body.message.delivery === 'failed');
  return id;
}

describe('the operator', () => {
  it('shows an incoming and an outgoing email', async () => {
    const { arrival, ticket } = await processed(desk, mailText());
    const { name } = await addMailbox(desk);
    const message = await failedReply(name as string);
    const [came, went, none] = [
      await run('show', arrival.id as string),
      await run('show', message),
      await run('show', desk.account.id),
    ];

    expect(came.json).toMatchObject({ direction: 'in', state: 'processed', ticket: ticket.number, source: 'api' });
    expect(went.json).toMatchObject({ direction: 'out', state: 'failed', mailbox: name, tries: 1 });
    expect(went.json.reason).toContain('5.7.1 No');
    expect(none.code).toBe(1);
  });

  it('sends the failed emails of a mailbox again, or a single one', async () => {
    const [one, other] = [(await addMailbox(desk)).name as string, (await addMailbox(desk)).name as string];
    const [mine, alone] = [await failedReply(one), await failedReply(other)];
    const account = ['--account', desk.account.id];
    const state = async (id: string) => (await desk.client().get(`/v1/messages/${id}`)).body.message.delivery;
    const retried = await run('retry', '--failed', ...account, '--mailbox', one);
    await eventually(async () => (await state(mine)) === 'sent');
    const before = await state(alone);
    await run('retry', alone);
    await eventually(async () => (await state(alone)) === 'sent');

    expect([retried.json, before]).toEqual([{ mails: 1 }, 'failed']);
    expect((await run('retry', alone)).code).toBe(1);
    expect((await run('retry', '--failed')).code).toBe(1);
    expect((await run('retry', alone, '--failed')).code).toBe(1);
  });
});
