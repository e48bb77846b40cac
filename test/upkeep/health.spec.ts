// @module-tag long
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MailServer } from '../oauth/support/mail-server.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import type { Receiver } from '#test/support/receiver.js';
import { seedAgent } from '#test/support/seed.js';
import { DeskUpkeep } from '#test/support/upkeep.js';
import { runCli } from '../cli/run.js';

let mail: MailServer;
let desk: Desk;
let upkeep: DeskUpkeep;
beforeEach(async () => {
  mail = await MailServer.start();
  desk = await startDesk({ settings: { SMTP_URL: mail.url, WEBHOOK_RETRY_SCHEDULE: '3600' } });
  upkeep = await DeskUpkeep.start(desk);
});
afterEach(async () => {
  await upkeep.stop();
  await desk.stop();
  mail.stop();
});

const QUIET = { webhooks_disabled: 0, webhooks_warned: 0, webhooks_recovered: 0 };

const mailsTo = (email: string) => mail.mails.filter((text) => text.includes(`To: ${email}`));

async function webhookRow(id: string): Promise<{ state: string; disabled_reason: string | null }> {
  const { rows } = await desk.sql.query('select state, disabled_reason from webhooks where id = $1', [id]);
  return rows[0];
}

/** Has `count` deliveries attempted by a worker with the real clock, and stops it. */
async function deliver(receiver: Receiver, count: number): Promise<void> {
  const worker = await desk.worker();
  for (let n = 0; n < count; n++) await startTicket(desk);
  await receiver.received(count);
  const attempted = 'select from deliveries where attempts > 0';
  await eventually(async () => (await desk.sql.query(attempted)).rowCount! >= count);
  await worker.stop();
}

describe('a webhook whose deliveries all fail', () => {
  it('becomes disabled after five days and ten deliveries, with one email to the owner and admins that is forgotten later', async () => {
    const admin = await seedAgent(desk.sql, desk.account.id, { role: 'admin' });
    const agent = await seedAgent(desk.sql, desk.account.id, { role: 'agent' });
    const receiver = await desk.receiver({ replies: [500] });
    const webhook = await desk.webhook('ticket_started', `${receiver.url}secret-path`);
    await deliver(receiver, 10);

    desk.clock.advance({ days: 4, hours: 23 });
    expect(await upkeep.run('health')).toEqual({ ...QUIET, webhooks_warned: 1 });
    await desk.sql.query('delete from outgoing_mails');
    desk.clock.advance({ hours: 2 });
    expect(await upkeep.run('health')).toEqual({ ...QUIET, webhooks_disabled: 1 });
    expect(await upkeep.run('health')).toEqual(QUIET);

    expect(await webhookRow(webhook.id)).toEqual({ state: 'disabled', disabled_reason: 'failing' });
    const { rows } = await desk.sql.query('select count(*)::int as owed from owed_deliveries');
    expect(rows).toEqual([{ owed: 0 }]);
    expect(mail.mails).toEqual([]);
    expect(await upkeep.sendMails()).toBe(2);
    expect(await upkeep.sendMails()).toBe(0);
    expect(mail.mails).toHaveLength(2);
    for (const { email } of [desk.account.owner, admin]) {
      expect(mailsTo(email)[0]).toContain('A webhook in Acme was disabled');
      expect(mailsTo(email)[0]).toContain(`/settings/webhooks/${webhook.id}`);
      expect(mailsTo(email)[0]).not.toContain('secret-path');
    }
    expect(mailsTo(agent.email)).toEqual([]);
    expect(await upkeep.run('ended_mails')).toEqual({ mails: 0 });
    desk.clock.advance({ days: 31 });
    expect(await upkeep.run('ended_mails')).toEqual({ mails: 2 });
  });

  it.each([
    ['with fewer than ten, however long it fails', 9, [500]],
    ['when one of them arrived', 11, [...Array<number>(10).fill(500), 200]],
  ])('stays enabled %s', async (_when, count, replies) => {
    const receiver = await desk.receiver({ replies });
    const webhook = await desk.webhook('ticket_started', receiver.url);
    await deliver(receiver, count);

    desk.clock.advance({ days: 8 });
    expect(await upkeep.run('health')).toEqual(QUIET);
    expect(await webhookRow(webhook.id)).toEqual({ state: 'active', disabled_reason: null });
  });
});

describe('a receiver that returns 410', () => {
  it('gets no more, and the worker emails the owner itself', async () => {
    const receiver = await desk.receiver({ replies: [410] });
    const webhook = await desk.webhook('ticket_started', receiver.url);
    await desk.worker();
    await startTicket(desk);

    const text = await eventually(() => mailsTo(desk.account.owner.email)[0]);

    expect(text).toContain('410 Gone');
    expect(await webhookRow(webhook.id)).toEqual({ state: 'disabled', disabled_reason: 'gone' });
  });
});

it('names the operator as the only one who can enable a webhook that the operator disabled', async () => {
  const { id } = await desk.webhook('ticket_started', 'https://hooks.client.test/');
  await runCli(['webhooks', 'disable', id], desk.environment);
  await upkeep.sendMails();
  const [text = ''] = mailsTo(desk.account.owner.email);

  expect(text).toContain('Only the operator can enable it again.');
  expect(text).not.toContain('replay');
});
