import { PersonalTokensService } from '#libs/access';
import { afterAll, describe, expect, it } from 'vitest';
import { newAccount } from '#test/support/account-desk.js';
import { startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { olderTransactionsEnd } from '#test/support/older-transactions.js';
import { roundTripsOf } from '#test/support/round-trips.js';
import { LongPollsService } from '../../../apps/api/src/layers/live/long-polls.service.js';

const desk = await startDesk();
afterAll(() => desk.stop());

interface Listed {
  readonly event: string;
  readonly payload: { readonly number?: number };
}

const seated = (): number => desk.api.get(LongPollsService, { strict: false }).waiting;

/** An account whose events have all been read, and requests that wait for more. */
async function account() {
  const here = await newAccount(desk);
  const { owner } = here.account;
  const client = here.client();
  await olderTransactionsEnd(desk.sql);
  const { cursor } = (await client.get('/v1/events')).body.meta;
  const headers = { authorization: `Bearer ${owner.token}` };
  const wait = async (query = '', from = cursor) => {
    const before = seated();
    const asked = { isAnswered: false };
    const response = fetch(new URL(`/v1/events?wait=30&cursor=${from}${query}`, desk.base), { headers }).finally(
      () => (asked.isAnswered = true),
    );
    await eventually(() => asked.isAnswered || seated() > before);
    const events = async () => ((await (await response).json()) as { events: Listed[] }).events;
    return Object.assign(asked, { response, events });
  };
  return { here, client, owner, cursor, wait };
}

describe('a request that waits for events', () => {
  it('returns as soon as there is an event, and again when there is another', async () => {
    const { here, client, cursor, wait } = await account();
    const first = await wait();
    const { number } = await startTicket(here);
    const [added] = await first.events();

    expect(added).toMatchObject({ event: 'customer_added' });
    await olderTransactionsEnd(desk.sql);
    const { meta, events } = (await client.get(`/v1/events?cursor=${cursor}`)).body;
    expect(events.at(-1).payload.number).toBe(number);
    const second = await wait('', meta.cursor);
    await client.put(`/v1/tickets/${number}/state`, { state: 'closed' });
    expect((await second.events()).map(({ event }) => event)).toEqual(['ticket_closed']);
  });

  it('waits on after events of other kinds and of other accounts', async () => {
    const { here, client, wait } = await account();
    const other = await account();
    const waiting = await wait('&event=ticket_closed');
    const elsewhere = await other.wait();
    const { number } = await startTicket(here);
    await olderTransactionsEnd(desk.sql);
    await client.put(`/v1/tickets/${number}/state`, { state: 'closed' });

    expect((await waiting.events()).map(({ event }) => event)).toEqual(['ticket_closed']);
    expect(elsewhere.isAnswered).toBe(false);
    await startTicket(other.here);
    expect(await elsewhere.events()).not.toEqual([]);
  });

  it('reads at most four times a second while other events keep coming', async () => {
    const { here, client } = await account();
    const { number } = await startTicket(here);
    await olderTransactionsEnd(desk.sql);
    const { cursor } = (await client.get('/v1/events?per_page=50')).body.meta;
    const trips = await roundTripsOf(async () => {
      const waiting = { isOver: false };
      const answer = client.get(`/v1/events?wait=2&event=agent_archived&cursor=${cursor}`);
      const over = answer.finally(() => (waiting.isOver = true));
      while (!waiting.isOver) await client.post(`/v1/tickets/${number}/messages`, { body: 'Another', note: true });
      await over;
    });

    const reads = trips.filter((name) => name === 'events_next').length;
    expect(reads).toBeGreaterThan(2);
    expect(reads).toBeLessThanOrEqual(11);
    expect(trips.length).toBeGreaterThan(100);
  });

  it('returns 401 at once when its token is revoked', async () => {
    const { here, owner, wait } = await account();
    const waiting = await wait();
    const tokens = desk.api.get(PersonalTokensService);
    const [listed] = await tokens.list(here.account.id, owner.id);
    const start = performance.now();
    await tokens.revoke(here.account.id, listed!.id, 'person', owner.id);

    expect((await waiting.response).status).toBe(401);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('returns nothing when its time is up, and at once without a wait', async () => {
    const { client, cursor } = await account();

    for (const wait of ['1', '0']) {
      const { events, meta } = (await client.get(`/v1/events?wait=${wait}&cursor=${cursor}`)).body;
      expect({ events, cursor: meta.cursor }).toEqual({ events: [], cursor });
    }
  });

  it.each(['wait=31', 'wait=-1', 'wait=soon', 'ticket=0', 'ticket=x', 'ticket=2147483648'])(
    'returns 422 with the name of the parameter: %s',
    async (query) => {
      const { status, body } = await desk.client().get(`/v1/events?${query}`);

      expect([status, body.errors[0].field]).toEqual([422, query.split('=')[0]]);
    },
  );
});

describe('the events of a ticket', () => {
  it('are those of the ticket and its messages, page by page', async () => {
    const { here, client } = await account();
    const other = await startTicket(here);
    const { number } = await startTicket(here);
    await client.post(`/v1/tickets/${number}/messages`, { body: 'Seen.', note: true });
    await client.put(`/v1/tickets/${other.number}/state`, { state: 'closed' });
    await client.put(`/v1/tickets/${number}/state`, { state: 'closed' });
    await olderTransactionsEnd(desk.sql);
    const list = async (query: string) => (await client.get(`/v1/events?ticket=${query}`)).body;

    const { events, meta } = await list(`${number}&per_page=2`);
    const rest = await list(`${number}&cursor=${meta.cursor}`);
    expect([...events, ...rest.events].map(({ event }: Listed) => event)).toEqual([
      'ticket_started',
      'note_added',
      'ticket_closed',
    ]);
    expect(meta.pagination.next_page).toContain(`ticket=${number}`);
    expect((await list(`${number}&event=note_added`)).events).toHaveLength(1);
    expect((await list('4711')).events).toEqual([]);
    expect((await desk.client().get(`/v1/events?ticket=${number}`)).body.events).toEqual([]);
  });
});
