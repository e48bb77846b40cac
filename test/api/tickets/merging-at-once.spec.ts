import { ScheduledRepliesService, TriageService } from '#libs/tickets';
import { afterAll, describe, expect, it } from 'vitest';
import { ApiClient, type ApiResponse } from '#test/support/api-client.js';
import { startDesk } from '#test/support/desk.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { walkValues } from '#test/support/pages.js';
import { seedAgent } from '#test/support/seed.js';
import { SeededChoices } from '#test/support/seeded-choices.js';

const desk = await startDesk();
afterAll(() => desk.stop());
const other = await desk.apiProcess();
const colleague = await seedAgent(desk.sql, desk.account.id);
const clients: ApiClient[] = [desk.client(), new ApiClient(other.base, colleague.token)];

const triage = desk.api.get(TriageService);
const held = desk.api.get(ScheduledRepliesService);
const context = {
  accountId: desk.account.id,
  agentId: desk.account.owner.id,
  role: 'owner',
  requestId: null,
  applicationId: null,
} as const;

/** All messages of the account, with the number of their ticket, and the counts that the tickets claim. */
async function stored(numbers: readonly number[]) {
  const { rows } = await desk.sql.query<{ number: number; count: number; bodies: string[]; into: number | null }>(
    `select t.number, t.message_count as count, o.number as into,
       array(select body from messages s where s.ticket_id = t.id order by id) as bodies
     from tickets t left join tickets o on o.id = t.merged_into_id where t.number = any($1) order by t.number`,
    [numbers],
  );
  return rows;
}

async function expectConsistent(numbers: readonly number[], written: readonly string[]): Promise<void> {
  const tickets = await stored(numbers);
  expect(tickets.flatMap(({ bodies }) => bodies).toSorted()).toEqual(written.toSorted());
  expect(tickets.map(({ count }) => count)).toEqual(tickets.map(({ bodies }) => bodies.length));
  const merged = tickets.filter(({ into }) => into !== null);
  const kept = new Set(tickets.filter(({ into }) => into === null).map(({ number }) => number));
  expect(merged.filter(({ bodies, into }) => bodies.length > 0 || !kept.has(into!))).toEqual([]);
  const words = await desk.sql.query(
    `select from messages s join tickets t on t.id = s.ticket_id
     where t.number = any($1) and not exists (select from ticket_words w where w.ticket_id = t.id and w.source_id = s.id)`,
    [numbers],
  );
  expect(words.rowCount).toBe(0);
}

const statusesOf = (answers: readonly ApiResponse[]): number[] => [...new Set(answers.map(({ status }) => status))];

const merge = (client: ApiClient, number: number, into: number) => client.post(`/v1/tickets/${number}/merge`, { into });
const say = (client: ApiClient, number: number, body: string) =>
  client.post(`/v1/tickets/${number}/messages`, { body });

describe('two agents at two APIs', () => {
  it('merge, reply to and close the same tickets at once without losing a message', async () => {
    for (let round = 0; round < 10; round++) {
      const from = newEmail();
      const numbers: number[] = [];
      for (const body of ['A', 'B', 'C']) numbers.push((await startTicket(desk, { from, body })).number as number);
      const [one, two, three] = numbers as [number, number, number];
      const [here, there] = clients as [ApiClient, ApiClient];
      const replies = [one, two, three, one, two, three].map((number, place) => ({ number, body: `reply ${place}` }));
      const [said, others] = await Promise.all([
        Promise.all(replies.map(({ number, body }, place) => say(clients[place % 2]!, number, body))),
        Promise.all([
          merge(here, two, one),
          merge(there, one, two),
          merge(there, three, one),
          merge(here, two, three),
          here.put(`/v1/tickets/${one}/state`, { state: 'closed' }),
          there.put(`/v1/tickets/${two}/state`, { state: 'closed' }),
        ]),
      ]);

      expect(statusesOf([...said, ...others]).filter((status) => ![200, 201, 409, 422].includes(status))).toEqual([]);
      const accepted = replies.filter((_, place) => said[place]!.status === 201).map(({ body }) => body);
      await expectConsistent(numbers, ['A', 'B', 'C', ...accepted]);
    }
  }, 60_000);
});

describe('random histories of merges, undos and messages', () => {
  it.each([1, 2, 3, 4])(
    'keep each message once, history %s',
    async (seed) => {
      const choices = new SeededChoices(`merging ${seed}`);
      const numbers: number[] = [];
      const written: string[] = [];
      const merges: Awaited<ReturnType<typeof triage.merge>>['former'][] = [];
      for (let place = 0; place < 5; place++) {
        const customer = choices.isLikely(0.5) ? `same-${seed}@client.test` : newEmail();
        numbers.push((await startTicket(desk, { from: customer, body: `start ${place}` })).number as number);
        written.push(`start ${place}`);
      }
      const steps = {
        say: async (name: string) => {
          const number = choices.pick(numbers);
          const fields = choices.isLikely(0.3) ? { note: true } : {};
          const { status } = await choices
            .pick(clients)
            .post(`/v1/tickets/${number}/messages`, { body: name, ...fields });
          if (status === 201) written.push(name);
        },
        hold: async (name: string) => {
          const wanted = { body: name, afterSending: '' };
          if (await held.hold(context, choices.pick(numbers), wanted, 0).catch(() => null)) written.push(name);
        },
        merge: async () => {
          const [number, into] = [choices.pick(numbers), choices.pick(numbers)];
          const done = await triage.merge(context, number, into).catch(() => null);
          // Stored as JSON until the undo.
          if (done) merges.push(JSON.parse(JSON.stringify(done.former)) as (typeof merges)[number]);
        },
        undo: async () => {
          if (merges.length > 0) await triage.undo(context, choices.pick(merges)).catch(() => null);
        },
      };
      for (let place = 0; place < 40; place++) {
        const name = `${seed}.${place}`;
        const kinds = ['say', 'say', 'hold', 'merge', 'merge', 'undo'] as const;
        await Promise.all([1, 2].map((half) => steps[choices.pick(kinds)](`${name}.${half}`)));
      }
      for (let turn = 0; turn < 3; turn++) await held.sendDue();
      const drafts = await desk.sql.query<{ body: string; into: string | null }>(
        'select d.body, t.merged_into_id as into from drafts d join tickets t on t.id = d.ticket_id where t.number = any($1)',
        [numbers],
      );
      await desk.sql.query('delete from drafts');
      const drafted = new Set(drafts.rows.flatMap(({ body }) => body.split('\n\n')));

      expect(merges.length).toBeGreaterThan(0);
      expect(drafts.rows.filter(({ into }) => into !== null)).toEqual([]);
      await expectConsistent(
        numbers,
        written.filter((body) => !drafted.has(body)),
      );
      for (const number of numbers) {
        const answer = await desk.client().get(`/v1/tickets/${number}`);
        const path = answer.headers.get('location') ?? `/v1/tickets/${number}`;
        const bodies = await walkValues(desk.client(), `${path}/messages?per_page=20`, 'body');
        expect(bodies).toEqual((await stored([Number(path.split('/').at(-1))]))[0]!.bodies);
      }
    },
    60_000,
  );
});
