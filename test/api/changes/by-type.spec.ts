import type { CopiedKind, Scope } from '#libs/entities';
import { COPIED_KINDS } from '#libs/entities';
import { afterAll, describe, expect, it } from 'vitest';
import { type AccountDesk, newAccount } from '#test/support/account-desk.js';
import type { ApiClient } from '#test/support/api-client.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { startDesk } from '#test/support/desk.js';
import { Mirror } from '#test/support/mirror.js';
import { olderTransactionsEnd } from '#test/support/older-transactions.js';
import { seedToken } from '#test/support/seed.js';

const desk = await startDesk();
afterAll(() => desk.stop());

const tokenOf = async ({ account }: AccountDesk, ...scopes: Scope[]) =>
  desk.client(await seedToken(desk.sql, { accountId: account.id, agentId: account.owner.id, scopes }));

interface Followed {
  readonly changes: { type: CopiedKind; id: string; deleted: boolean; record: object }[];
  readonly pages: number;
  readonly cursor: string;
}

/** Follows from the cursor to the end. */
async function follow(client: ApiClient, query: string, from?: string): Promise<Followed> {
  const changes: Followed['changes'] = [];
  let cursor = from;
  for (let pages = 1; ; pages++) {
    const { body } = await client.get(`/v1/changes?${query}${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    changes.push(...body.changes);
    const isLast = body.meta.pagination.next_page === null;
    if (!isLast && body.meta.cursor === cursor) throw new Error('The page made no progress');
    cursor = body.meta.cursor as string;
    if (isLast) return { changes, pages, cursor };
  }
}

/** Tickets with replies and notes, of which one is deleted and one purged, and records with new names. */
async function busyAccount() {
  const here = await newAccount(desk);
  const client = here.client();
  const customer = newEmail();
  const group = (await client.post('/v1/groups', { name: newEmail('Group') })).body.group;
  for (let count = 0; count < 4; count++) {
    const { number } = await startTicket(here, { from: customer, assigned_group: group.name });
    await client.post(`/v1/tickets/${number}/messages`, { body: 'Answer' });
  }
  await olderTransactionsEnd(desk.sql);
  const middle = await follow(client, 'per_page=500');
  await client.delete('/v1/tickets/2');
  await client.delete('/v1/tickets/3');
  await desk.sql.query('delete from tickets where account_id = $1 and number = 3', [here.account.id]);
  await client.put(`/v1/groups/${group.id}`, { name: newEmail('Renamed') });
  await client.patch(`/v1/customers/${customer}`, { email: newEmail('renamed') });
  await olderTransactionsEnd(desk.sql);
  return { here, client, middle: middle.cursor };
}

/** The last state of each record. */
function copyOf({ changes }: Followed) {
  const copy = new Map<string, object>();
  for (const { type, id, deleted, record } of changes)
    if (deleted) copy.delete(`${type} ${id}`);
    else copy.set(`${type} ${id}`, record);
  return copy;
}

describe('the changes of some types', () => {
  it.each([1, 2, 500])('add up to all changes, in pages of %i', async (perPage) => {
    const { here, client, middle } = await busyAccount();
    const all = new Mirror(client);
    await all.catchUp(desk.sql);

    expect([...copyOf(await follow(client, 'per_page=500')).keys()].toSorted()).toEqual(
      [...all.records.keys()].toSorted(),
    );
    for (const from of [undefined, middle]) {
      const followed = await Promise.all(
        COPIED_KINDS.map(async (type) => follow(client, `type=${type}&per_page=${perPage}`, from)),
      );
      const whole = await follow(client, 'per_page=500', from);
      const wanted = copyOf(whole);
      expect(new Map(followed.flatMap((one) => [...copyOf(one)]))).toEqual(wanted);
      for (const [place, { changes }] of followed.entries())
        expect(changes.every(({ type }) => type === COPIED_KINDS[place])).toBe(true);
    }
    const both = await follow(here.client(), `type=group,ticket&per_page=${perPage}`);
    expect(new Set(both.changes.map(({ type }) => type))).toEqual(new Set(['group', 'ticket']));
  });

  it('need only the scopes that read them', async () => {
    const { here } = await busyAccount();
    const client = await tokenOf(here, 'tickets:read');
    const tickets = await client.get('/v1/changes?type=ticket,message,attachment,ticket');
    const refused = await client.get('/v1/changes?type=ticket,customer');
    const all = await client.get('/v1/changes');

    expect(tickets.status).toBe(200);
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers.get('www-authenticate')).toContain('scope="customers:read"');
    expect(all.headers.get('www-authenticate')).toContain('scope="customers:read people:read"');
  });

  it('refuse a cursor that skipped one of the types', async () => {
    const { client } = await busyAccount();
    const { cursor } = await follow(client, 'type=ticket,group');
    const statusOf = async (query: string) => (await client.get(`/v1/changes?${query}cursor=${cursor}`)).status;

    expect(await statusOf('type=ticket&')).toBe(200);
    expect(await statusOf('type=group,ticket&')).toBe(200);
    expect(await statusOf('type=ticket,customer&')).toBe(422);
    expect(await statusOf('')).toBe(422);
    const repeated = await follow(client, `type=${COPIED_KINDS.map(() => 'ticket').join(',')}`);
    expect((await client.get(`/v1/changes?cursor=${repeated.cursor}`)).status).toBe(422);
  });

  it('do not include the other records among which the cursor stands', async () => {
    const { here, client, middle } = await busyAccount();
    let cursor = middle;
    // The first page that ends among the messages whose author has a new address.
    for (let found = false; !found;) {
      const { body } = await client.get(`/v1/changes?per_page=1&cursor=${cursor}`);
      found = body.changes[0]?.type === 'message';
      cursor = body.meta.cursor;
    }
    const narrow = await follow(await tokenOf(here, 'customers:read'), 'type=customer', cursor);
    const { changes } = await follow(client, 'per_page=50', cursor);

    expect(narrow.changes.every(({ type }) => type === 'customer')).toBe(true);
    expect(changes.map(({ type }) => type)).toContain('message');
  });

  it('pass thousands of marks of other types in few pages, without losing a record among them', async () => {
    const here = await newAccount(desk);
    const client = here.client();
    const deleteFiles = () =>
      desk.sql.query(
        `insert into change_marks (account_id, kind, record_id, public_id, changed_in)
         select $1, 'attachment', gen_random_uuid(), 'gone', pg_current_xact_id()::text::bigint
         from generate_series(1, 12000)`,
        [here.account.id],
      );
    await startTicket(here);
    await deleteFiles();
    await startTicket(here);
    await deleteFiles();
    const { number } = await startTicket(here);
    await olderTransactionsEnd(desk.sql);
    const { changes, pages, cursor } = await follow(client, 'type=ticket&per_page=50');
    const again = await follow(client, 'type=ticket&per_page=50', cursor);

    expect(changes.map(({ id }) => Number(id))).toEqual([number - 2, number - 1, number]);
    expect(pages).toBeLessThan(10);
    expect([again.changes, again.pages]).toEqual([[], 1]);
  });

  it('end a wait, and other changes do not', async () => {
    const here = await newAccount(desk);
    const client = here.client();
    await startTicket(here);
    await olderTransactionsEnd(desk.sql);
    const { cursor } = await follow(client, 'type=group');
    const waiting = client.get(`/v1/changes?type=group&wait=20&cursor=${cursor}`);
    for (let count = 0; count < 5; count++) await startTicket(here);
    await client.post('/v1/groups', { name: 'Awaited' });

    expect((await waiting).body.changes).toMatchObject([{ type: 'group', record: { name: 'Awaited' } }]);
  });

  it('refuse a type that does not exist', async () => {
    const { status, body } = await desk.client().get('/v1/changes?type=ticket,user');

    expect([status, body.errors[0].field, body.errors[0].code]).toEqual([422, 'type', 'not_a_choice']);
  });
});

describe('a page of a feed', () => {
  it('has up to 500 records, and fewer if they are large', async () => {
    const here = await newAccount(desk);
    await desk.sql.query(
      `insert into customers (id, account_id, email, custom, created_at, updated_at)
       select gen_random_uuid(), $1, 'c' || n || '@client.test',
         case when n > 600 then jsonb_build_object('text', repeat('x', 8000)) else '{}' end, now(), now()
       from generate_series(1, 1200) n`,
      [here.account.id],
    );
    await olderTransactionsEnd(desk.sql);
    const sizes: number[] = [];
    let total = 0;
    for (let path: string | null = '/v1/changes?type=customer&per_page=1000'; path !== null;) {
      const { body, text } = await here.client().get(path);
      sizes.push(text.length);
      total += body.changes.length as number;
      expect(body.meta.pagination.per_page).toBe(500);
      expect(body.changes.length).toBeLessThanOrEqual(500);
      const next: string | null = body.meta.pagination.next_page;
      path = next && new URL(next).pathname + new URL(next).search;
    }

    expect(total).toBe(1200);
    expect(Math.max(...sizes)).toBeLessThan(2.2 * 1024 * 1024);
    expect((await here.client().get('/v1/events?per_page=500')).body.meta.pagination.per_page).toBe(500);
    expect((await here.client().get('/v1/tickets?per_page=500')).body.meta.pagination.per_page).toBe(50);
  });
});
