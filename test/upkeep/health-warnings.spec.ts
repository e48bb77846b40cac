// @module-tag long
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MailServer } from '../oauth/support/mail-server.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { seedAccount, seedAgent } from '#test/support/seed.js';
import { DeskUpkeep } from '#test/support/upkeep.js';

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
const PATH = 'secret-path';

const row = async (id: string) =>
  (await desk.sql.query('select state, warned_at, failing_since from webhooks where id = $1', [id])).rows[0];

/** Subjects of the emails that were sent since the last call. */
async function sentSubjects(): Promise<string[]> {
  await upkeep.sendMails();
  return mail.mails.splice(0).map((text) => /Subject: (.*)/.exec(text)![1]!.trim());
}

/** A webhook with `count` failed deliveries. */
async function failingWebhook({ count = 10, event = 'ticket_started' } = {}) {
  const { id } = await desk.webhook(event, `https://受信.example/${PATH}`);
  await desk.sql.query(
    `with made as (
       insert into deliveries (id, account_id, webhook_id, event_id, kind, state, attempts, last_status, finished_at, created_at)
       select new_uuid_at($4), $1, $2, new_uuid_at($4), 'ticket_started', 'exhausted', 1, 500, $4, $4 from generate_series(1, $3::int))
     update webhooks set failing_since = $4 where id = $2`,
    [desk.account.id, id, count, desk.clock.now()],
  );
  return id;
}

const succeed = (id: string) => desk.sql.query('update webhooks set failing_since = null where id = $1', [id]);
const failAgain = (id: string) =>
  desk.sql.query('update webhooks set failing_since = $2 where id = $1', [id, desk.clock.now()]);

describe('a webhook that has failed for half of the time until it is disabled', () => {
  it('is announced once to the owner and admins, and once more when it recovers', async () => {
    const admin = await seedAgent(desk.sql, desk.account.id, { role: 'admin' });
    await seedAgent(desk.sql, desk.account.id, { role: 'agent' });
    await seedAccount(desk.sql);
    const id = await failingWebhook();
    desk.clock.advance({ days: 2, hours: 11 });
    expect(await upkeep.run('health')).toEqual(QUIET);
    desk.clock.advance({ hours: 2 });
    const until = (await row(id)).failing_since.getTime() + 5 * 86_400_000;

    const both = await Promise.all([upkeep.run('health'), upkeep.run('health')]);
    expect(both.map(({ webhooks_warned: warned }) => warned)).toEqual(expect.arrayContaining([0, 1]));
    expect(await upkeep.sendMails()).toBe(2);
    expect(await upkeep.sendMails()).toBe(0);
    for (const { email } of [desk.account.owner, admin]) {
      const text = mail.mails.find((one) => one.includes(`To: ${email}`));
      expect(text).toContain('Subject: A webhook in Acme keeps failing');
      expect(text).toContain('xn--');
      expect(text).toContain(new Date(until).toISOString().slice(0, 16).replace('T', ' '));
      expect(text).toContain(`/settings/webhooks/${id}`);
      expect(text).not.toContain(PATH);
    }
    mail.mails.splice(0);
    desk.clock.advance({ hours: 12 });
    expect(await upkeep.run('health')).toEqual(QUIET);

    await succeed(id);
    const recovered = await Promise.all([upkeep.run('health'), upkeep.run('health')]);
    expect(recovered.map(({ webhooks_recovered: well }) => well)).toEqual(expect.arrayContaining([0, 1]));
    expect(await sentSubjects()).toEqual(Array(2).fill('A webhook in Acme works again'));
    expect(await row(id)).toMatchObject({ state: 'active', warned_at: null });
    expect(await upkeep.run('health')).toEqual(QUIET);
  });

  it('is announced again if it fails anew, even if its success was shorter than the time between two checks', async () => {
    const id = await failingWebhook();
    desk.clock.advance({ days: 3 });
    await upkeep.run('health');
    expect(await sentSubjects()).toEqual(['A webhook in Acme keeps failing']);
    desk.clock.advance({ minutes: 1 });

    await failAgain(id);
    expect(await upkeep.run('health')).toEqual({ ...QUIET, webhooks_recovered: 1 });
    expect(await sentSubjects()).toEqual(['A webhook in Acme works again']);
    desk.clock.advance({ days: 2, hours: 13 });
    await desk.sql.query('update deliveries set finished_at = $1', [desk.clock.now()]);
    await desk.sql.query('update deliveries set id = new_uuid_at($1)', [desk.clock.now()]);
    expect(await upkeep.run('health')).toEqual({ ...QUIET, webhooks_warned: 1 });
  });

  it('is not announced with fewer than ten failed deliveries, or while it is paused', async () => {
    await failingWebhook({ count: 9 });
    const paused = await failingWebhook({ event: 'ticket_closed' });
    await desk.client().patch(`/v1/webhooks/${paused}`, { state: 'paused' });
    desk.clock.advance({ days: 4 });

    expect(await upkeep.run('health')).toEqual(QUIET);
  });

  it.each([
    ['gets a new URL', { url: 'https://other.example/' }],
    ['is paused and resumed', { state: 'active' }],
  ])('sends no email of recovery when it %s', async (_what, change) => {
    const id = await failingWebhook();
    desk.clock.advance({ days: 3 });
    await upkeep.run('health');
    await sentSubjects();

    if ('state' in change) await desk.client().patch(`/v1/webhooks/${id}`, { state: 'paused' });
    await desk.client().patch(`/v1/webhooks/${id}`, change);

    expect(await row(id)).toMatchObject({ warned_at: null, failing_since: null });
    expect(await upkeep.run('health')).toEqual(QUIET);
  });

  it('is announced as disabled at the end, and starts without a warning once it is enabled', async () => {
    const id = await failingWebhook();
    desk.clock.advance({ days: 3 });
    await upkeep.run('health');
    await sentSubjects();
    desk.clock.advance({ days: 3 });

    expect(await upkeep.run('health')).toEqual({ ...QUIET, webhooks_disabled: 1 });
    expect(await sentSubjects()).toEqual(['A webhook in Acme was disabled']);
    expect(await row(id)).toMatchObject({ state: 'disabled', warned_at: null });
    await desk.client().patch(`/v1/webhooks/${id}`, { state: 'active' });
    expect(await upkeep.run('health')).toEqual(QUIET);
  });
});

it('warns after real failures and hears of a real success', async () => {
  const receiver = await desk.receiver({ replies: [...Array<number>(10).fill(500), 200] });
  const { id } = await desk.webhook('ticket_started', receiver.url);
  const worker = await desk.worker();
  for (let n = 0; n < 10; n++) await startTicket(desk);
  const attempted = 'select from deliveries where attempts > 0';
  await eventually(async () => (await desk.sql.query(attempted)).rowCount === 10);
  desk.clock.advance({ days: 3 });
  expect(await upkeep.run('health')).toEqual({ ...QUIET, webhooks_warned: 1 });
  await startTicket(desk);
  await eventually(async () => (await row(id)).failing_since === null);
  await worker.stop();

  expect(await upkeep.run('health')).toEqual({ ...QUIET, webhooks_recovered: 1 });
});
