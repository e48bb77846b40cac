import { afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';

const desk = await startDesk();
afterAll(() => desk.stop());

/** Moves the clock of the database server, as events see it. */
const moveClock = (by: string): Promise<unknown> =>
  desk.sql.query(`create or replace function event_microseconds() returns bigint language sql volatile as $$
    select floor(extract(epoch from clock_timestamp() + interval '${by}') * 1000000)::bigint $$`);

/** The sequence numbers in the order of the requests. The events of one request have the same time. */
async function sequences(ticket: number): Promise<bigint[]> {
  const { rows } = await desk.sql.query<{ sequence: string }>(
    `select e.sequence from events e where e.account_id = $1 and e.payload like $2 order by e.created_at, e.sequence`,
    [desk.account.id, `%tickets/${ticket}%`],
  );
  return rows.map(({ sequence }) => BigInt(sequence));
}

const isGrowing = (numbers: readonly bigint[]): boolean =>
  numbers.every((number, place) => place === 0 || number > numbers[place - 1]!);

describe('the sequence of events', () => {
  it('increases while the clock of the server is two hours behind, and after it is corrected', async () => {
    const { number } = await startTicket(desk);
    const post = () => desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Answer' });
    for (const by of ['0', '-2 hours', '-2 hours', '-1 hour', '0', '1 second']) {
      await moveClock(by);
      for (let count = 0; count < 5; count++) await post();
    }

    const told = await sequences(number);

    expect(told.length).toBeGreaterThan(30);
    expect(isGrowing(told)).toBe(true);
  });

  it('increases for concurrent writers, without duplicates, while the clock is behind', async () => {
    await moveClock('0');
    const tickets = await Promise.all(
      Array.from({ length: 5 }, async () => (await startTicket(desk)).number as number),
    );
    await moveClock('-2 hours');
    await Promise.all(
      tickets.map(async (number) => {
        for (let count = 0; count < 10; count++)
          await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Hello', author: newEmail() });
      }),
    );
    await moveClock('0');

    for (const number of tickets) expect(isGrowing(await sequences(number))).toBe(true);
    const { rows } = await desk.sql.query<{ all: string; different: string }>(
      'select count(*) as all, count(distinct sequence) as different from events where account_id = $1',
      [desk.account.id],
    );
    expect(rows[0]!.different).toBe(rows[0]!.all);
  });
});
