import { afterAll, beforeAll, expect, it } from 'vitest';
import { divided } from '../../bench/weight/idle.js';
import { eventually } from '../support/eventually.js';
import type { Receiver } from '../support/receiver.js';
import { WeighedDesk } from './weighed-desk.js';

const EVENTS = 60;
const CUSTOMER = 'ada@client.test';

let weighed: WeighedDesk;
const receivers: Receiver[] = [];

beforeAll(async () => {
  weighed = await WeighedDesk.start();
  const { desk } = weighed;
  await desk.sql.query('update mailboxes set replies_by_mail = true');
  for (const event of ['note_added', 'agent_replied', 'ticket_started']) await subscribe(event);
  await writeOne('ticket');
});
afterAll(() => weighed.stop());

async function subscribe(event: string): Promise<void> {
  const receiver = await weighed.desk.receiver();
  await weighed.desk.webhook(event, receiver.url);
  receivers.push(receiver);
}

const MESSAGE = { body: 'Thank you, that helped.' };

async function writeOne(kind: string): Promise<void> {
  const { desk } = weighed;
  const [path, body] =
    kind === 'ticket'
      ? ['/v1/tickets', { ...MESSAGE, from: CUSTOMER, to: desk.account.mailbox.email }]
      : ['/v1/tickets/1/messages', { ...MESSAGE, note: kind !== 'reply' }];
  expect((await desk.client().post(path, body)).status).toBe(201);
}

const isIdle = async (): Promise<boolean> =>
  (await weighed.desk.sql.query('select from outbox union all select from owed_deliveries')).rowCount === 0;

/** By event: what the servers did for one, written one after another. */
async function weigh(kind: string) {
  for (let count = 0; count < EVENTS; count++) await writeOne(kind);
  await eventually(isIdle);
  const before = await weighed.counters.read();
  for (let count = 0; count < EVENTS; count++) await writeOne(kind);
  await eventually(isIdle);
  return divided(await weighed.counters.since(before), EVENTS);
}

/** The figures depend only a little on how many events share a batch. */
it.each([
  ['note', 1, { walRecords: 30, walBytes: 4_880, rows: 9.3, statements: 7, redisCommands: 38 }],
  ['reply', 1, { walRecords: 36.2, walBytes: 5_640, rows: 10.3, statements: 8, redisCommands: 38 }],
  ['ticket', 1, { walRecords: 52.8, walBytes: 7_020, rows: 12.3, statements: 8, redisCommands: 38 }],
  ['note', 20, { walRecords: 133, walBytes: 25_000, rows: 41, statements: 7, redisCommands: 42 }],
] as const)(
  'costs the servers little for a %s and %i webhooks',
  { timeout: 60_000 },
  async (kind, webhooks, expected) => {
    for (let count = 1; count < webhooks; count++) await subscribe('note_added');

    const weight = await weigh(kind);

    for (const figure of ['walRecords', 'walBytes', 'rows'] as const) {
      expect(weight[figure], figure).toBeGreaterThan(expected[figure] * 0.9);
      expect(weight[figure], figure).toBeLessThan(expected[figure] * 1.1);
    }
    // Fewer events share a batch than under load.
    for (const figure of ['statements', 'redisCommands'] as const)
      expect(weight[figure], figure).toBeLessThan(expected[figure] * 1.1);
  },
);
