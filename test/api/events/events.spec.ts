import { EVENT_KINDS } from '#libs/payloads';
import { Client as PgClient } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '#test/support/api-client.js';
import { newAccount } from '#test/support/account-desk.js';
import { startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { olderTransactionsEnd } from '#test/support/older-transactions.js';

const desk = await startDesk();
afterAll(() => desk.stop());

type Told = { id: string; event: string; sequence: number; payload: { number: number } };

async function account() {
  const here = await newAccount(desk);
  const client = here.client();
  const feedNow = async (query = '') => (await client.get(`/v1/events${query}`)).body;
  const feed = async (query = '') => {
    await olderTransactionsEnd(desk.sql);
    return feedNow(query);
  };
  return { id: here.account.id, client, feed, feedNow, start: () => startTicket(here) };
}

async function readAll(feed: (query: string) => Promise<ApiResponse['body']>, query: string) {
  const events: Told[] = [];
  for (let next: string | null = query; next !== null;) {
    const page = await feed(next);
    events.push(...page.events);
    next = page.meta.pagination.next_page && new URL(page.meta.pagination.next_page).search;
  }
  return events;
}

describe('the feed of events', () => {
  it('lists events oldest first, with the record as it was', async () => {
    const { client, feed, start } = await account();
    const ticket = await start();
    await client.put(`/v1/tickets/${ticket.number}/state`, { state: 'closed' });

    const { events } = await feed();

    expect(events.map(({ event }: Told) => event)).toEqual(['customer_added', 'ticket_started', 'ticket_closed']);
    expect(events[1].payload).toEqual(ticket);
    expect((await client.get(`/v1/events/${events[1].id}`)).body).toEqual({ event: events[1] });
  });

  it('continues from its cursor, at once or later', async () => {
    const { feed, start } = await account();
    for (let count = 0; count < 4; count++) await start();

    const first = await feed('?per_page=3');
    const all = await readAll(feed, '?per_page=3');
    const end = await feed();
    const { number } = await start();
    const later = await feed(`?cursor=${end.meta.cursor}`);

    expect(first.events).toHaveLength(3);
    expect(all.map(({ sequence }) => sequence)).toEqual(end.events.map(({ sequence }: Told) => sequence));
    expect(end.meta.pagination.next_page).toBeNull();
    expect(later.events.map(({ payload }: Told) => payload.number)).toEqual([undefined, number]);
    expect((await feed(`?cursor=${later.meta.cursor}`)).meta.cursor).toBe(later.meta.cursor);
  });

  it('filters by kind and starts at a time', async () => {
    const { feed, start } = await account();
    await start();
    desk.clock.advance({ hours: 1 });
    const since = desk.clock.now().toISOString();
    const { number } = await start();

    const started = await readAll(feed, `?event=ticket_started&since=${since}&per_page=1`);

    expect(started.map(({ payload }) => payload.number)).toEqual([number]);
    expect((await readAll(feed, '?event=ticket_started,customer_added')).length).toBe(4);
    expect((await feed('?event=nothing')).errors[0].code).toBe('unknown_event_kind');
    expect((await feed('?cursor=nonsense')).errors[0].code).toBe('invalid_cursor');
  });

  it('shows no event while an older transaction could still add one before it', async () => {
    const { id, feed, feedNow, start } = await account();
    const slow = new PgClient({ connectionString: desk.settings.DATABASE_URL });
    await slow.connect();
    await slow.query('begin');
    await slow.query(
      `insert into events (id, account_id, sequence, kind, payload, transaction_id, created_at)
       values (new_uuid_at(now()), $1, event_sequence($1, 1), 'note_added', '{}', pg_current_xact_id()::text::bigint, now())`,
      [id],
    );

    await start();
    const during = await feedNow();
    await slow.query('commit');
    await slow.end();
    const after = await feed(`?cursor=${during.meta.cursor}`);

    expect(during.events).toEqual([]);
    expect(after.events.map(({ event }: Told) => event)).toEqual(['note_added', 'customer_added', 'ticket_started']);
  });

  it('skips and repeats nothing while twenty clients write', async () => {
    const { feed, start } = await account();
    const seen: string[] = [];
    let cursor = '';
    const read = async () => {
      const page = await feed(`?per_page=7${cursor && `&cursor=${cursor}`}`);
      cursor = page.meta.cursor;
      seen.push(...page.events.map(({ id }: Told) => id));
      return page.events.length > 0;
    };

    const writers = Array.from({ length: 20 }, async () => {
      for (let count = 0; count < 5; count++) await start();
    });
    let ended = 0;
    for (const writer of writers) void writer.then(() => (ended += 1));
    await eventually(async () => !(await read()) && ended === 20);

    expect(seen).toHaveLength(200);
    expect(new Set(seen).size).toBe(200);
  });

  it('shows neither test events nor events of other accounts', async () => {
    const one = await account();
    const other = await account();
    const { webhook } = (await one.client.post('/v1/webhooks', { event: 'note_added', url: 'https://a.example/' }))
      .body;
    await one.client.post(`/v1/webhooks/${webhook.id}/test`);
    await other.start();
    const [theirs] = (await other.feed()).events;

    expect((await one.feed()).events).toEqual([]);
    expect((await one.client.get(`/v1/events/${theirs.id}`)).body.error).toBe('event_not_found');
  });

  it('numbers events by the clock, and refuses cursors of other accounts', async () => {
    const one = await account();
    const other = await account();
    const begun = Date.now();
    await one.start();
    const { events, meta } = await one.feed();
    const sequences: number[] = events.map(({ sequence }: Told) => sequence);
    const forged = Array.from(meta.cursor as string, (letter, at) =>
      [meta.cursor.slice(0, at), letter === 'A' ? 'B' : 'A', meta.cursor.slice(at + 1)].join(''),
    );

    for (const sequence of sequences) expect(Math.abs(sequence / 1000 - begun)).toBeLessThan(60_000);
    expect(sequences[1]).toBeGreaterThan(sequences[0]!);
    expect(Buffer.from(meta.cursor, 'base64url').toString('latin1')).not.toContain(String(sequences[1]));
    for (const cursor of [...forged, `${meta.cursor}A`, meta.cursor.slice(1), 'WyJhZnRlciIsImZlZWQiLCIwIiwiMCJd'])
      expect((await one.feed(`?cursor=${cursor}`)).errors).toMatchObject([{ field: 'cursor', code: 'invalid_cursor' }]);
    expect((await other.feed(`?cursor=${meta.cursor}`)).errors[0].code).toBe('invalid_cursor');
  });
});

describe('the kinds of events', () => {
  it('come with their time, record and sample', async () => {
    const { body } = await desk.client().get('/v1/event_kinds');

    expect(body.event_kinds.map(({ event }: Told) => event)).toEqual(Object.keys(EVENT_KINDS));
    for (const { when, record, sample } of body.event_kinds) {
      expect(when).toMatch(/\.$/);
      expect(sample).toMatchObject({ href: expect.stringContaining(`/v1/${record.toLowerCase()}s/`) });
    }
  });
});
