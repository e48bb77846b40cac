import { afterAll, beforeAll, expect, it } from 'vitest';
import { divided } from '../../bench/weight/idle.js';
import { eventually } from '../support/eventually.js';
import type { Receiver } from '../support/receiver.js';
import { WeighedDesk } from './weighed-desk.js';

const EVENTS = 60;
const EVENTS_OF = { note: 'note_added', reply: 'agent_replied', ticket: 'ticket_started' };
const CUSTOMER = 'ada@client.test';

let weighed: WeighedDesk;
/** By kind of event; those of a fan-out are not waited for. */
const receivers = new Map<string, Receiver>();

beforeAll(async () => {
  weighed = await WeighedDesk.start();
  const { desk } = weighed;
  await desk.sql.query('update mailboxes set replies_by_mail = true');
  for (const kind of ['note', 'reply', 'ticket'] as const) receivers.set(kind, await subscribe(EVENTS_OF[kind]));
  await writeOne('ticket');
});
afterAll(() => weighed.stop());

async function subscribe(event: string): Promise<Receiver> {
  const receiver = await weighed.desk.receiver();
  await weighed.desk.webhook(event, receiver.url);
  return receiver;
}

const MESSAGE = { body: 'Thank you, that helped.' };

async function writeOne(kind: string): Promise<void> {
  const { desk } = weighed;
  const [path, body] =
    kind === 'ticket'
      ? ['/v1/tickets', { ...MESSAGE, from: CUSTOMER, to: desk.account.mailbox.email }]
      : ['/v1/tickets/1/messages', { ...MESSAGE, note: kind !== 'reply' }];
  const receiver = receivers.get(kind)!;
  const before = receiver.requests.length;
  expect((await desk.client().post(path, body)).status).toBe(201);
  await receiver.received(before + 1);
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

/** Each event is alone, so none shares a batch. */
it.each([
  ['note', 1, { walRecords: 33.2, walBytes: 4_720, rows: 10, redisCommands: 39.2 }],
  ['reply', 1, { walRecords: 39.2, walBytes: 5_520, rows: 11, redisCommands: 39.2 }],
  ['ticket', 1, { walRecords: 55.2, walBytes: 6_740, rows: 13, redisCommands: 39.2 }],
  ['note', 20, { walRecords: 149.5, walBytes: 26_100, rows: 48, redisCommands: 39.2 }],
] as const)(
  'costs the servers little for a %s and %i webhooks',
  { timeout: 60_000 },
  async (kind, webhooks, expected) => {
    for (let count = 1; count < webhooks; count++) await subscribe('note_added');

    const weight = await weigh(kind);

    const differences = (Object.keys(expected) as (keyof typeof expected)[])
      .filter((figure) => Math.abs(weight[figure] / expected[figure] - 1) > 0.1)
      .map((figure) => `${figure}: ${weight[figure]}`);
    expect(differences).toEqual([]);
  },
);
