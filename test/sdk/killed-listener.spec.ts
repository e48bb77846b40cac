// @module-tag long
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { baseUrlOf } from '#test/support/api-client.js';
import { startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { olderTransactionsEnd } from '#test/support/older-transactions.js';
import { SeededChoices } from '#test/support/seeded-choices.js';
import { Listening } from './listening.js';

const EVENTS = 10_000;
const MAX_LIFE_MS = 4_000;

const desk = await startDesk();
afterAll(() => desk.stop());

/** Inserts events of one ticket, in many transactions: their order is that of the feed. */
async function insertEvents(count: number): Promise<void> {
  await desk.sql.query(
    `insert into events (id, account_id, sequence, kind, payload, transaction_id, created_at)
     select new_uuid_at(now()), $1, event_sequence($1, place::integer), 'ticket_closed',
       json_build_object('number', 1, 'place', $2::integer + place), pg_current_xact_id()::text::bigint, now()
     from generate_series(1, $3::integer) place`,
    [desk.account.id, await stored(), count],
  );
}

const stored = async (): Promise<number> =>
  Number((await desk.sql.query('select count(*) from events where account_id = $1', [desk.account.id])).rows[0].count);

it('forwards each of 10,000 events at least once while it is killed at random', async () => {
  const choices = new SeededChoices('kills');
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    seen.set(id, (seen.get(id) ?? 0) + 1);
    request.resume().on('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  await eventually(() => server.listening);
  const environment = {
    DESKWIRE: desk.base,
    TOKEN: desk.account.owner.token,
    XDG_STATE_HOME: join(tmpdir(), randomUUID()),
  };
  const start = () =>
    new Listening(['--forward', `${baseUrlOf(server)}/`, '--secret', `whsec_${'A'.repeat(43)}=`], environment);
  const startedAt = performance.now();
  let listening = start();
  await eventually(() => listening.output.includes('Forwarding '));
  let kills = 0;
  let inserted = 0;
  while (seen.size < EVENTS) {
    if (inserted < EVENTS) await insertEvents(Math.min(500, EVENTS - inserted));
    inserted = Math.min(EVENTS, inserted + 500);
    await olderTransactionsEnd(desk.sql);
    const deadline = performance.now() + choices.between(0, MAX_LIFE_MS);
    await eventually(() => performance.now() > deadline || seen.size === EVENTS, { withinMs: 2 * MAX_LIFE_MS });
    if (seen.size === EVENTS) break;
    await listening.end('SIGKILL');
    kills += 1;
    listening = start();
  }
  expect(await listening.end('SIGINT')).toBe(0);
  server.close();

  const requests = [...seen.values()].reduce((sum, times) => sum + times, 0);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stdout.write(`${EVENTS} events, ${kills} kills, ${requests - EVENTS} duplicates, ${seconds} s\n`);
  expect(await stored()).toBe(EVENTS);
  expect(kills).toBeGreaterThan(5);
  expect(requests - EVENTS).toBeLessThanOrEqual(kills * 50);
}, 300_000);
