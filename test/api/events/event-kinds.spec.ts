import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { verify } from '#test/support/receiver.js';
import { WAYS, type Way } from './ways.js';

const KINDS = Object.keys(EVENT_KINDS) as EventKind[];

interface Happened {
  readonly id: string;
  readonly event: EventKind;
  readonly sequence: number;
  readonly payload: { readonly href: string };
}

const secrets: Partial<Record<EventKind, string>> = {};
/** The kinds that each operation of the API emitted. */
const seen: Record<string, Set<string>> = {};

const desk = await startDesk();
const receiver = await desk.receiver();
await desk.worker();
for (const kind of KINDS) secrets[kind] = (await desk.webhook(kind, receiver.url + kind)).secret;
afterAll(() => desk.stop());

interface Feed {
  readonly events: readonly Happened[];
  readonly cursor: string;
}

/** Follows the feed from the cursor to its end. */
async function feedFrom(cursor?: string): Promise<Feed> {
  const query = cursor === undefined ? '' : `&cursor=${cursor}`;
  const { body } = await desk.client().get(`/v1/events?per_page=50${query}`);
  const { events, meta } = body as { events: Happened[]; meta: { cursor: string; pagination: { next_page: unknown } } };
  if (meta.pagination.next_page === null) return { events, cursor: meta.cursor };
  const rest = await feedFrom(meta.cursor);
  return { ...rest, events: [...events, ...rest.events] };
}

/** Waits for the events: the feed shows nothing newer than a transaction that is still running. */
const happenedSince = (cursor: string, count: number): Promise<readonly Happened[]> =>
  eventually(async () => {
    const { events } = await feedFrom(cursor);
    return events.length >= count && events;
  });

async function allOf(): Promise<readonly Happened[]> {
  const { rows } = await desk.sql.query<{ count: number }>('select count(*)::int as count from events');
  return eventually(async () => {
    const { events } = await feedFrom();
    return events.length === rows[0]!.count && events;
  });
}

async function recordAt({ href }: Happened['payload']): Promise<unknown> {
  const { body } = await desk.client().get(new URL(href).pathname);
  return Object.values(body as object)[0];
}

const arrivalOf = ({ id }: Happened) =>
  eventually(() => receiver.requests.find(({ headers }) => headers['webhook-id'] === id));

describe.each(KINDS)('%s', (kind) => {
  it.each(WAYS[kind] ?? [])('goes out when $how', async ({ prepare, emits }: Way) => {
    const act = await prepare(desk);
    const lastTicket = (await desk.client().get('/v1/tickets?per_page=1')).body.tickets[0];
    await allOf();
    const { cursor } = await feedFrom();

    const { status, operation } = await act();
    for (const event of emits) (seen[operation!] ??= new Set()).add(event);
    const happened = await happenedSince(cursor, emits.length);
    const shown = await Promise.all(
      happened.map(({ event, payload }) => (event === 'ticket_deleted' ? lastTicket : recordAt(payload))),
    );

    expect(status).toBeLessThan(300);
    expect(happened.map(({ event }) => event)).toEqual(emits);
    expect(emits).toContain(kind);
    expect(happened.map(({ payload }) => payload)).toEqual(shown);
    for (const one of happened) {
      const request = await arrivalOf(one);
      expect([request.path, request.headers['webhook-event']]).toEqual([`/${one.event}`, one.event]);
      expect(request.json).toEqual(one.payload);
      expect(request.headers['webhook-sequence']).toBe(String(one.sequence));
      verify(request, secrets[one.event]!);
    }
  });
});

it('documents in OpenAPI which kinds each operation may emit', () => {
  const operations = Object.entries(desk.contract.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { description = '' }]) => [`${method.toUpperCase()} ${path}`, description]),
  );
  const documented = operations.flatMap(([name, description]) => {
    const [, kinds] = /\bMay emit ([\w, ]+)\./.exec(description!) ?? [];
    return kinds ? [[name, new Set(kinds.split(', '))]] : [];
  });

  expect(Object.fromEntries(documented)).toEqual(seen);
});

it('delivers each event once, with increasing sequence numbers, and nothing else', async () => {
  const happened = await allOf();
  await Promise.all(happened.map(arrivalOf));

  const sequences = happened.map(({ sequence }) => sequence);
  expect(sequences).toEqual([...sequences].sort((one, other) => one - other));
  const ids = receiver.requests.map(({ headers }) => String(headers['webhook-id']));
  expect(ids.sort()).toEqual(happened.map(({ id }) => id).sort());
});
