// @module-tag long
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../apps/cli/src/start.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { seedAccount } from '#test/support/seed.js';
import { type Ran, runCli } from './run.js';

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const OLD = key('old');
const NEW = key('new');

const desk = deskForFile({ settings: { SECRETS_KEY: OLD, WEBHOOK_RETRY_SCHEDULE: '3600,3600' } });

const run = (args: string[], settings: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  runCli(args, { ...desk.environment, ...settings });

interface Finding {
  readonly name: string;
  readonly verdict: string;
  readonly words: string;
}

const finding = ({ json }: Ran, name: string): Finding =>
  (json as { findings: Finding[] }).findings.find((one) => one.name === name)!;

async function owed(): Promise<{ queued: boolean; attempts: number }[]> {
  return (await desk.sql.query('select queued, attempts from owed_deliveries')).rows;
}

describe('doctor', () => {
  it('accepts a new installation, except that no worker runs', async () => {
    const ran = await run(['doctor']);

    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/^green {2}settings/m);
    expect(ran.out).toMatch(/^green {2}database {6}PostgreSQL \d+/m);
    expect(ran.out).toMatch(/^green {2}clock/m);
    expect(ran.out).toMatch(/^\w+ +queue {9}Redis \d/m);
    expect(ran.out).toMatch(/^green {2}migrations/m);
    expect(ran.out).toMatch(/^red {4}workers {7}no worker seen/m);
    expect(ran.err).toBe('');
  });

  it('turns green when a worker runs and every secret opens, and reports a missing or old key', async () => {
    await desk.webhook('ticket_closed', 'http://127.0.0.1:4009/');
    const worker = await desk.worker();
    const well = await eventually(async () => {
      const ran = await run(['doctor', '--json']);
      return finding(ran, 'workers').verdict === 'green' && ran;
    });
    const lost = await run(['doctor', '--json'], { SECRETS_KEY: NEW });
    const both = await run(['doctor', '--json'], { SECRETS_KEY: `${NEW},${OLD}` });
    await worker.stop();

    expect(finding(well, 'secrets')).toMatchObject({ verdict: 'green', words: 'all can be decrypted, 1 by old' });
    expect([lost.code, finding(lost, 'secrets').verdict]).toEqual([1, 'red']);
    expect([both.code, finding(both, 'secrets').verdict]).toEqual([0, 'amber']);
    expect(JSON.stringify([well.json, lost.json])).not.toContain(OLD.split(':')[1]);
    expect(finding(await run(['doctor', '--json']), 'workers').verdict).toBe('red');
  });

  it('passes before the start, even with workers in a restored dump', async () => {
    const { rows } = await desk.sql.query<{ id: string }>(
      `insert into worker_heartbeats (id, host, pid, version, started_at, seen_at, skew_ms)
       values (gen_random_uuid(), 'of-the-dump', 1, '0.0.1', clock_timestamp(), clock_timestamp(), 5000) returning id`,
    );
    const running = await run(['doctor']);
    const stopped = await run(['doctor', '--before-start', '--json']);
    await desk.sql.query('delete from worker_heartbeats where id = $1', [rows[0]!.id]);
    const lost = await run(['doctor', '--before-start', '--json'], { SECRETS_KEY: NEW });

    expect(running.code).toBe(1);
    expect(running.out).toContain('of-the-dump');
    expect(stopped.code).toBe(0);
    expect(stopped.json.findings.map(({ name }: Finding) => name).join()).toBe(
      'settings,disk,database,clock,queue,migrations,secrets',
    );
    expect([lost.code, finding(lost, 'secrets').verdict]).toEqual([1, 'red']);
  });

  it('names every wrong setting, and checks what it can without the database', async () => {
    const wrong = await run(['doctor', '--json'], { LOG_LEVEL: 'loud', PORT: 'x' });
    const away = await run(['doctor'], { DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/none' });

    expect(wrong.code).toBe(1);
    expect(wrong.json.findings.map(({ words }: Finding) => words.split(' ')[0])).toEqual(['PORT', 'LOG_LEVEL']);
    expect(away.code).toBe(1);
    expect(away.out).toMatch(/^red {4}database {6}cannot be reached: ECONNREFUSED$/m);
    expect(away.out).not.toContain('hidden');
  });
});

describe('the webhooks command', () => {
  it('lists webhooks over all accounts or one, and shows, disables and enables them', async () => {
    const receiver = await desk.receiver();
    const { id } = await desk.webhook('ticket_started', receiver.url);
    const globex = await seedAccount(desk.sql, { name: 'Globex' });
    const everywhere = await run(['webhooks', 'list', '--json']);
    const elsewhere = await run(['webhooks', 'list', '--account', globex.id]);
    const listed = await run(['webhooks', 'list', '--account', desk.account.id]);
    const off = await run(['webhooks', 'disable', id]);
    const again = await run(['webhooks', 'disable', id, '--json']);
    const shown = await run(['webhooks', 'show', id, '--json']);
    const on = await run(['webhooks', 'enable', id]);

    expect(everywhere.json).toContainEqual(expect.objectContaining({ id, account: 'Acme', state: 'active', owed: 0 }));
    expect(elsewhere.out).toBe('No webhook matches.\n');
    expect(listed.out).toMatch(/^ID +ACCOUNT +EVENT +URL +STATE +REASON +OWED\n/);
    expect([off.code, off.out]).toEqual([0, 'Disabled. Its pending deliveries were cancelled.\n']);
    expect(again.json).toMatchObject({ changed: false });
    expect(shown.json).toMatchObject({ state: 'disabled', disabled_reason: 'operator' });
    expect(on.code).toBe(0);
    expect((await desk.client().get(`/v1/webhooks/${id}`)).body.webhook).toMatchObject({
      state: 'active',
      disabled_reason: null,
    });
    await run(['webhooks', 'disable', id]);
  });

  it('announces a replay first, and shows its progress', async () => {
    const receiver = await desk.receiver({ replies: [500, 204] });
    const { id } = await desk.webhook('ticket_started', receiver.url);
    const worker = await desk.worker();
    await startTicket(desk);
    await eventually(async () => (await owed()).some(({ attempts }) => attempts === 1));
    const command = ['webhooks', 'replay', '--account', desk.account.id, '--webhook', id];
    const said = await run(command);
    const other = await run([...command, '--last-response', '4xx', '--json']);
    const wrong = await run([...command, '--since', 'yesterday']);
    const elsewhere = await run([...command.slice(0, 3), (await seedAccount(desk.sql)).id, '--webhook', id, '--yes']);
    expect(receiver.requests).toHaveLength(1);
    const sent = await run([...command, '--yes', '--json']);
    await receiver.received(2);
    await worker.stop();

    expect(said.out).toMatch(
      /^Would send 1 delivery to 1 webhook, the oldest from \d{4}-.*Z\. Add --yes to send them\.\n$/,
    );
    expect(other.json).toMatchObject({ deliveries: 0, webhooks: [] });
    expect([wrong.code, elsewhere.code]).toEqual([2, 1]);
    expect(sent.json).toMatchObject({ deliveries: 1, replays: [expect.any(String)] });
    expect(sent.err).toContain('1 of 1');
    const { rows } = await desk.sql.query("select agent_id from activities where kind = 'webhook_replayed'");
    expect(rows).toEqual([{ agent_id: null }]);
    await run(['webhooks', 'disable', id]);
  });

  it('refuses to enable webhooks when their access has ended', async () => {
    const receiver = await desk.receiver();
    const { id } = await desk.webhook('ticket_tagged', receiver.url);
    await run(['webhooks', 'disable', id]);
    await desk.sql.query('update webhooks set grant_id = (select id from grants limit 1) where id = $1', [id]);
    await desk.sql.query(
      'update grants g set revoked_at = now() from webhooks w where w.id = $1 and w.grant_id = g.id',
      [id],
    );
    const refused = await run(['webhooks', 'enable', id]);
    await desk.sql.query('update grants set revoked_at = null');

    expect([refused.code, refused.err]).toEqual([
      1,
      'error: The access that registered this webhook has ended. Its creator can enable it with new access.\n',
    ]);
  });

  it('reseals with a new key, so that the old one can be removed', async () => {
    const both = { SECRETS_KEY: `${NEW},${OLD}` };
    const done = await run(['webhooks', 'reseal', '--json'], both);
    const again = await run(['webhooks', 'reseal', '--json'], both);
    const newest = await run(['doctor', '--json'], { SECRETS_KEY: NEW });
    const back = await run(['webhooks', 'reseal', '--json'], { SECRETS_KEY: OLD });

    expect(done.json.unopened).toBe(0);
    expect(done.json.resealed).toBeGreaterThan(0);
    expect(again.json).toEqual({ resealed: 0, unopened: 0 });
    expect(finding(newest, 'secrets').verdict).toBe('green');
    expect([back.code, back.json.unopened]).toEqual([1, done.json.resealed]);
    await run(['webhooks', 'reseal'], { SECRETS_KEY: `${OLD},${NEW}` });
  });
});

describe('the queue command', () => {
  it('shows the backlog, waits until it is delivered, and makes retries due', async () => {
    const receiver = await desk.receiver({ replies: [503, 204] });
    const { id } = await desk.webhook('customer_added', receiver.url);
    await startTicket(desk);
    const before = await run(['queue', 'stats', '--json']);
    const late = await run(['queue', 'drain', '--timeout', '1', '--json']);

    const worker = await desk.worker();
    const drained = await run(['queue', 'drain', '--timeout', '30']);
    await eventually(async () => (await owed()).every(({ attempts }) => attempts === 1));
    const stats = await run(['queue', 'stats', '--json']);
    await desk.sql.query("update webhooks set slow_until = now() + interval '1 hour' where id = $1", [id]);
    const ofSlow = await run(['queue', 'stats', '--json']);
    await desk.sql.query('update webhooks set slow_until = null where id = $1', [id]);
    const all = await run(['queue', 'drain', '--all', '--timeout', '1']);
    const other = await run(['queue', 'redrive', '--account', (await seedAccount(desk.sql, { name: 'Initech' })).id]);
    const redriven = await run(['queue', 'redrive', '--webhook', id, '--json']);
    await receiver.received(2);
    const empty = await run(['queue', 'drain', '--all', '--timeout', '30', '--json']);
    await worker.stop();

    expect(before.json).toMatchObject({ events_to_relay: 1, workers: 0 });
    expect([late.code, late.json]).toEqual([4, { drained: false, left: 1 }]);
    expect(late.err).toBe('1 left\n');
    expect([drained.code, drained.out]).toEqual([0, 'No delivery is due.\n']);
    expect(stats.json).toMatchObject({ workers: 1, events_to_relay: 0, waiting: 1, due: 0, queued: 0 });
    expect(ofSlow.json).toMatchObject({ waiting: 1, slow: 0 });
    expect(all.code).toBe(4);
    expect(other.out).toBe('Deliveries due now: 0.\n');
    expect(redriven.json).toEqual({ deliveries: 1 });
    expect(empty.json).toEqual({ drained: true, left: 0 });
    expect(receiver.requests[1]?.headers['webhook-attempt']).toBe('2');
  });
});

const EXAMPLES = {
  accounts: ['create'],
  agents: ['create', 'set-password', 'reset-two-factor'],
  apps: ['create'],
  doctor: [],
  mailboxes: ['create'],
  queue: ['stats', 'drain', 'redrive'],
  tokens: ['create'],
  webhooks: ['list', 'show', 'disable', 'enable', 'reseal'],
};
const COMMANDS = Object.entries(EXAMPLES).flatMap(([noun, verbs]) =>
  verbs.length === 0 ? [noun] : verbs.map((verb) => `${noun} ${verb}`),
);

it.each(COMMANDS)('has an example: %s --help', (command) => {
  let said = '';
  const asked = command
    .split(' ')
    .reduce((at, word) => at.commands.find((one) => one.name() === word)!, createProgram());
  asked.configureOutput({ writeOut: (text) => (said += text) }).outputHelp();

  expect(said).toMatch(new RegExp(`xample.*:\\n.*${command}`));
});
