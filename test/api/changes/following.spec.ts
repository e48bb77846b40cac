// @module-tag long
import { afterAll, describe, expect, it } from 'vitest';
import { Client as PgClient } from 'pg';
import type { ApiClient } from '#test/support/api-client.js';
import { newAccount } from '#test/support/account-desk.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { startDesk } from '#test/support/desk.js';
import { Mirror, differencesToApi } from '#test/support/mirror.js';
import { NEW_RECORDS, type RecordKind } from '#test/support/new-records.js';
import { olderTransactionsEnd } from '#test/support/older-transactions.js';
import { operationsOf } from '#test/support/openapi-operations.js';
import { SeededChoices } from '#test/support/seeded-choices.js';
import { sendFile } from '#test/support/upload.js';
import { OTHER_WRITES, WRITES, write } from './write-operations.js';

const desk = await startDesk();
afterAll(() => desk.stop());

async function account(perPage?: number) {
  const here = await newAccount(desk);
  const client = here.client();
  const make = (kind: RecordKind) => NEW_RECORDS[kind](here);
  return { ...here.account, here, client, make, mirror: new Mirror(client, perPage) };
}

const pageOf = async (client: ApiClient, cursor?: string) =>
  (await client.get(`/v1/changes${cursor === undefined ? '' : `?cursor=${cursor}`}`)).body;

describe('a client that follows the changes', () => {
  it('receives the changes of every write operation', { timeout: 60_000 }, async () => {
    const { here, client, mirror } = await account();
    const document = (await desk.anonymous().get('/openapi.json')).body;
    const writes = operationsOf(document)
      .filter(({ method, name }) => method !== 'GET' && !OTHER_WRITES.test(name))
      .map(({ name }) => name);
    expect(writes.filter((name) => !WRITES[name])).toEqual([]);

    const silent: string[] = [];
    for (const name of writes) {
      // Each operation runs twice: the first run also creates what it needs.
      await write(here, name);
      const prepared = await mirror.catchUp(desk.sql);
      const { status } = await write(here, name);
      const told = await mirror.catchUp(desk.sql);
      if (status >= 300 || prepared === 0 || told === 0) silent.push(`${name} ${status} ${prepared} ${told}`);
    }

    expect(silent).toEqual([]);
    expect(await differencesToApi(mirror, client)).toEqual([]);
  });

  it('receives new names in the records that show them, however small the pages', async () => {
    const { here, client, make, mirror } = await account(2);
    const [group, mailbox, agent] = [await make('group'), await make('mailbox'), await make('agent')];
    const customer = await make('customer');
    for (let count = 0; count < 5; count++) {
      const { number } = await startTicket(here, { from: customer, assigned_group: group, mailbox });
      await client.post(`/v1/tickets/${number}/messages`, { body: 'Answer' });
      await client.post(`/v1/tickets/${number}/messages`, { body: 'Note', note: true });
    }
    await mirror.catchUp(desk.sql);

    await client.put(`/v1/groups/${group}`, { name: 'Renamed group' });
    expect(await mirror.catchUp(desk.sql)).toBe(6);
    await client.put(`/v1/mailboxes/${mailbox}`, { name: 'Renamed mailbox' });
    expect(await mirror.catchUp(desk.sql)).toBe(6);
    await client.patch(`/v1/customers/${customer}`, { name: 'Ana Ruiz' });
    expect(await mirror.catchUp(desk.sql)).toBe(6);
    await client.patch(`/v1/customers/${customer}`, { email: newEmail('renamed') });
    await mirror.catchUp(desk.sql);
    await client.put('/v1/tickets/1/assignee', { assignee: agent });
    await mirror.catchUp(desk.sql);

    expect(mirror.records.get('ticket 3')).toMatchObject({
      assigned_group: 'Renamed group',
      mailbox: 'Renamed mailbox',
      customer_name: 'Ana Ruiz',
    });
    expect(await differencesToApi(mirror, client)).toEqual([]);
  });

  it('removes deleted records, restores them, and removes purged ones for good', async () => {
    const { id, client, make, mirror } = await account();
    const number = await make('ticket');
    const { messages } = (await client.get(`/v1/tickets/${number}/messages`)).body;
    await sendFile(client, `/v1/messages/${messages[0].id}/attachments`, 'text');
    await mirror.catchUp(desk.sql);
    const before = [...mirror.records.keys()].sort();

    await client.delete(`/v1/tickets/${number}`);
    await mirror.catchUp(desk.sql);
    expect(mirror.records.has(`ticket ${number}`)).toBe(false);
    expect(await differencesToApi(mirror, client)).toEqual([]);
    await client.post(`/v1/tickets/${number}/restore`);
    await mirror.catchUp(desk.sql);
    expect([...mirror.records.keys()].sort()).toEqual(before);
    await client.delete(`/v1/tickets/${number}`);
    await desk.sql.query('delete from tickets where account_id = $1', [id]);
    await mirror.catchUp(desk.sql);

    expect([...mirror.records.keys()].filter((key) => /^(ticket|message|attachment) /.test(key))).toEqual([]);
    expect(await differencesToApi(mirror, client)).toEqual([]);
  });

  it('receives nothing for changes that the API does not show', async () => {
    const { id, owner, client, mirror } = await account();
    await mirror.catchUp(desk.sql);
    await desk.sql.query('update agents set last_seen_at = now(), password_hash = $2 where id = $1', [owner.id, 'x']);
    await desk.sql.query('update customers set about = about where account_id = $1', [id]);

    expect(await mirror.catchUp(desk.sql)).toBe(0);
    await client.put(`/v1/agents/${owner.email}`, { first_name: 'Mia' });
    expect(await mirror.catchUp(desk.sql)).toBe(1);
  });

  it('receives the change of a transaction that commits late', async () => {
    const { id, client, make, mirror } = await account();
    const [first, second] = [await make('ticket'), await make('ticket')];
    await mirror.catchUp(desk.sql);
    const slow = new PgClient({ connectionString: desk.settings.DATABASE_URL });
    await slow.connect();
    await slow.query('begin');
    await slow.query("update tickets set title = 'late' where account_id = $1 and number = $2", [id, first]);

    await client.put(`/v1/tickets/${second}/title`, { title: 'early' });
    await mirror.follow();
    expect(mirror.records.get(`ticket ${second}`).title).toBe('Invoice');
    await slow.query('commit');
    await slow.end();
    await mirror.catchUp(desk.sql);

    expect(mirror.records.get(`ticket ${first}`).title).toBe('late');
    expect(mirror.records.get(`ticket ${second}`).title).toBe('early');
  });

  it('equals the API after many concurrent writers, some of them slow', { timeout: 60_000 }, async () => {
    const { id, here, client, make, mirror } = await account(7);
    for (let count = 0; count < 5; count++) await make('ticket');
    const names = Object.keys(WRITES);
    const work = { isDone: false };
    const writer = async (place: number): Promise<void> => {
      const choices = new SeededChoices(`writer ${place}`);
      for (let count = 0; count < 15; count++) await write(here, choices.pick(names));
    };
    const slowWriter = async (): Promise<void> => {
      const slow = new PgClient({ connectionString: desk.settings.DATABASE_URL });
      await slow.connect();
      for (let count = 0; count < 10; count++) {
        await slow.query('begin');
        await slow.query('update tickets set title = $2 where account_id = $1 and number = $3', [
          id,
          `slow ${count}`,
          (count % 5) + 1,
        ]);
        await slow.query('select pg_sleep(0.1)');
        await slow.query(count % 3 === 0 ? 'rollback' : 'commit');
      }
      await slow.end();
    };
    const reader = (async () => {
      while (!work.isDone) await mirror.follow(1);
    })();
    await Promise.all([...[1, 2, 3, 4, 5, 6].map(writer), slowWriter()]);
    work.isDone = true;
    await reader;
    await mirror.catchUp(desk.sql);

    expect(await differencesToApi(mirror, client)).toEqual([]);
  });

  it('answers with an error when the cursor is invalid, of another account or from before a restore', async () => {
    const { client, mirror } = await account();
    await mirror.catchUp(desk.sql);
    const other = await account();
    const cursor = mirror.cursor!;

    expect((await pageOf(client, 'nonsense')).errors[0].code).toBe('invalid_cursor');
    expect((await pageOf(other.client, cursor)).errors[0].code).toBe('invalid_cursor');
    // A dump restores a table with the same name but a different identity.
    await desk.sql.query('create table copied as table change_marks');
    await desk.sql.query('alter table change_marks rename to lost; alter table copied rename to change_marks');
    const restored = await client.get(`/v1/changes?cursor=${cursor}`);
    await desk.sql.query('drop table change_marks; alter table lost rename to change_marks');

    expect(restored.status).toBe(409);
    expect(restored.body.error).toBe('cursor_of_another_history');
    expect((await client.get(`/v1/changes?cursor=${cursor}`)).status).toBe(200);
  });

  it('copies rows of a dump whose transaction ids are higher than those of this server', async () => {
    const { id, client, make, mirror } = await account(2);
    for (let count = 0; count < 3; count++) await make('ticket');
    await desk.sql.query('set session_replication_role = replica');
    for (const table of ['tickets', 'ticket_recency', 'messages', 'customers', 'mailboxes'])
      await desk.sql.query(`update ${table} set changed_in = 10 ^ 15 where account_id = $1`, [id]);
    await desk.sql.query('set session_replication_role = origin');

    await mirror.catchUp(desk.sql);
    await mirror.catchUp(desk.sql);

    expect(await differencesToApi(mirror, client)).toEqual([]);
  });

  it('receives as many records per page as fit, and at least one', async () => {
    const { client, make, mirror } = await account();
    const number = await make('ticket');
    for (let count = 0; count < 12; count++)
      await client.post(`/v1/tickets/${number}/messages`, { body: 'x'.repeat(490_000) });
    await olderTransactionsEnd(desk.sql);

    let longest = 0;
    for (let isEnd = false; !isEnd;) {
      const told = mirror.told;
      isEnd = await mirror.follow();
      longest = Math.max(longest, mirror.told - told);
    }

    expect(longest).toBeLessThan(12);
    expect([...mirror.records.keys()].filter((key) => key.startsWith('message '))).toHaveLength(13);
  });
});
