// @module-tag long
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../cli/run.js';
import { withClient } from '#test/support/database.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';

let server: PrivateServer;
let desk: Desk;
let folder: string;

beforeAll(async () => {
  server = await startServer('postgres');
  desk = await startDesk({ databaseServer: server.url });
  folder = (await desk.sql.query<{ data_directory: string }>('show data_directory')).rows[0]!.data_directory;
});
afterAll(async () => {
  await desk.stop();
  await server.stop();
});

/** A root test runs the server as another account, which keeps owning its files. */
const copy = (from: string, to: string): Buffer => execFileSync('cp', ['-a', from, to]);

/** Copies the files while the server is stopped, and starts it again. */
async function withoutServer(work: () => unknown): Promise<void> {
  await server.kill9();
  work();
  await server.restart();
  await eventually(() => feed('events'));
}

const REFUSED = { status: 409, error: 'cursor_of_another_history' };

interface Feed {
  readonly status: number;
  readonly events: { readonly id: string }[];
  readonly meta: { readonly cursor: string };
}

async function feed(name: 'events' | 'changes', query = ''): Promise<Feed> {
  const { status, body } = await desk.client().get(`/v1/${name}${query}`);
  if (status >= 500) throw new Error(`${status}`);
  return { ...body, status } as Feed;
}

/** Returns the cursor once the feed shows the commits. */
const cursorBehind = (count: number): Promise<string> =>
  eventually(async () => {
    const { events, meta } = await feed('events', '?event=ticket_started');
    return events.length === count && meta.cursor;
  });

it('shows every follower the gap after a copy of the files is restored', { timeout: 90_000 }, async () => {
  const receiver = await desk.receiver();
  await desk.webhook('ticket_started', receiver.url);
  const since = desk.clock.now().toISOString();
  await startTicket(desk);
  const before = { events: await cursorBehind(1), changes: (await feed('changes')).meta.cursor };
  const [owed] = (await feed('events', '?event=ticket_started')).events;
  await withoutServer(() => copy(folder, `${folder}.backup`));
  await startTicket(desk);
  const after = await cursorBehind(2);
  await withoutServer(() => {
    execFileSync('rm', ['-rf', folder]);
    copy(`${folder}.backup`, folder);
  });

  const restored = await runCli(['restored'], desk.environment);

  expect(await runCli(['doctor', '--before-start'], desk.environment)).toMatchObject({ code: 0 });
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('Their numbers will be reused') });
  for (const cursor of [before.events, after]) expect(await feed('events', `?cursor=${cursor}`)).toMatchObject(REFUSED);
  expect(await feed('changes', `?cursor=${before.changes}`)).toMatchObject(REFUSED);
  expect((await feed('events', `?event=ticket_started&since=${since}`)).events).toEqual([owed]);
  await desk.worker();
  const [request] = await receiver.received(1);
  expect(request!.headers['webhook-id']).toBe(owed!.id);
});

it('shows events of a dump from another server in the feed', async () => {
  // The connection of the desk dates from before the restart of the server.
  const { rowCount } = await withClient(desk.settings.DATABASE_URL, (client) =>
    client.query('update events set transaction_id = 10 ^ 15'),
  );
  expect((await feed('events')).events).toEqual([]);

  const { json } = await runCli(['restored', '--json'], desk.environment);

  expect(json).toMatchObject({ renumbered: rowCount });
  expect((await feed('events')).events).toHaveLength(rowCount!);
});
