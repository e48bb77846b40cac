import { uuidAt } from '#libs/database';
import { describe, expect, it } from 'vitest';
import type { ApiResponse, ApiClient } from '#test/support/api-client.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addGroup, addMailbox, inviteAgent, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventKindsEmittedBy } from '#test/support/emitted-events.js';
import { beginRival, lockWaits } from '#test/support/rival.js';
import { walkValues } from '#test/support/pages.js';
import { seedAccount, seedAgent } from '#test/support/seed.js';

const desk = deskForFile();

const many = <T>(count: number, work: (place: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => work(place)));

const statusesOf = (answers: readonly ApiResponse[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const countOf = (kinds: readonly string[], kind: string): number => kinds.filter((one) => one === kind).length;

const bodiesOf = (number: number): Promise<string[]> =>
  walkValues(desk.client(), `/v1/tickets/${number}/messages?per_page=20`, 'body');

const read = async (number: number) => (await desk.client().get(`/v1/tickets/${number}`)).body.ticket;

describe('a ticket with concurrent writers', () => {
  it('stores, counts and emits each message once, and opens once', async () => {
    const { number } = await startTicket(desk);
    const clients = [desk.client(), desk.client((await seedAgent(desk.sql, desk.account.id)).token)];

    const kinds = await eventKindsEmittedBy(desk, () =>
      many(50, (place) => clients[place % 2]!.post(`/v1/tickets/${number}/messages`, { body: `answer ${place}` })),
    );

    expect((await bodiesOf(number)).slice(1).sort()).toEqual(
      Array.from({ length: 50 }, (_, place) => `answer ${place}`).sort(),
    );
    expect(await read(number)).toMatchObject({ message_count: 51, state: 'opened' });
    expect(countOf(kinds, 'agent_replied')).toBe(50);
    expect(countOf(kinds, 'ticket_opened')).toBe(1);
    expect(kinds).toHaveLength(51);
  });

  it('keeps the tags of every request', async () => {
    const { number } = await startTicket(desk);

    await many(40, (place) => desk.client().post(`/v1/tickets/${number}/tags`, { tags: [`tag${place}`] }));

    expect((await read(number)).tags).toHaveLength(40);
  });

  it.each([
    ['closes', { 200: 20 }, (path: string) => desk.client().put(`${path}/state`, { state: 'closed' })],
    ['deletes', { 204: 1, 404: 19 }, (path: string) => desk.client().delete(path)],
  ])('%s once, with the statuses %j', async (verb, statuses, work) => {
    const { number } = await startTicket(desk);
    let answers: ApiResponse[] = [];

    const kinds = await eventKindsEmittedBy(desk, async () => {
      answers = await many(20, () => work(`/v1/tickets/${number}`));
    });

    expect(kinds).toEqual([`ticket_${verb.slice(0, -1)}d`]);
    expect(statusesOf(answers)).toEqual(statuses);
  });
});

/** Operations on one ticket that touch rows other writers touch as well. */
const deeds = (client: ApiClient, path: string, place: number, names: Readonly<Record<string, string>>) => [
  () => client.post(`${path}/messages`, { body: `m${place}` }),
  () => client.put(`${path}/state`, { state: ['opened', 'closed', 'pending'][place % 3] }),
  () => client.post(`${path}/messages`, { body: `c${place}`, author: names[`customer${place % 3}`] }),
  () => client.put(`${path}/assignee`, { assignee: place % 2 ? names['agent'] : null }),
  () => client.patch(`/v1/customers/${names[`customer${place % 3}`]}`, { first_name: `n${place}` }),
  () => client.put(`${path}/assigned_group`, { assigned_group: place % 2 ? names['group'] : null }),
  () => client.put(`${path}/mailbox`, { mailbox: names[place % 2 ? 'mailbox' : 'otherMailbox'] }),
  () => client.put(`/v1/groups/${names['group']}`, { members: place % 2 ? [names['agent']] : [] }),
  () => client.put(`${path}/title`, { title: `t${place}` }),
  () =>
    client.post('/v1/tickets', {
      body: `new ${place}`,
      from: { email: names[`customer${place % 3}`], last_name: `l${place}` },
      to: desk.account.mailbox.email,
    }),
];

describe('the API with fifty writers on five tickets', () => {
  it('causes no deadlock or error, and counts correctly', async () => {
    const numbers: number[] = [];
    for (let count = 0; count < 5; count++) numbers.push((await startTicket(desk)).number);
    const [group, mailbox, other] = [await addGroup(desk), await addMailbox(desk), await addMailbox(desk)];
    const names = {
      group: group.id as string,
      mailbox: mailbox.id as string,
      otherMailbox: other.id as string,
      agent: (await inviteAgent(desk)).email as string,
      ...Object.fromEntries([0, 1, 2].map((place) => [`customer${place}`, newEmail()])),
    };
    for (const place of [0, 1, 2])
      await desk.client().post('/v1/customers', { email: (names as Record<string, string>)[`customer${place}`] });

    const answers = await many(50, async (place) => {
      const own: ApiResponse[] = [];
      const all = deeds(desk.client(), `/v1/tickets/${numbers[place % 5]}`, place, names);
      for (let turn = 0; turn < all.length; turn++) own.push(await all[(place + turn) % all.length]!());
      return own;
    });

    const failed = answers.flat().filter(({ status }) => status >= 300);
    expect(failed.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
    for (const number of numbers) expect((await read(number)).message_count).toBe((await bodiesOf(number)).length);
  });
});

describe('the API with simultaneous requests', () => {
  it('adds a customer once, by any combination of operations', async () => {
    const email = newEmail();
    const { number } = await startTicket(desk);
    const ways = [
      () => desk.client().post('/v1/customers', { email }),
      () => desk.client().post('/v1/tickets', { body: 'Hi', from: email, to: desk.account.mailbox.email }),
      () => desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Hi', author: email }),
    ];
    let answers: ApiResponse[] = [];

    const kinds = await eventKindsEmittedBy(desk, async () => {
      answers = await many(30, (place) => ways[place % 3]!());
    });

    expect(countOf(kinds, 'customer_added')).toBe(1);
    expect((statusesOf(answers)[201] ?? 0) + (statusesOf(answers)[409] ?? 0)).toBe(30);
    expect(answers.filter(({ status }, place) => status === 409 && place % 3 > 0)).toEqual([]);
  });

  it('accepts a unique name once', async () => {
    const name = newEmail('Group');
    const email = newEmail('agent');

    const groups = await many(10, () => desk.client().post('/v1/groups', { name }));
    // More are over the limit of invitations for one address.
    const agents = await many(5, () => desk.client().post('/v1/agents', { email }));

    expect([statusesOf(groups), statusesOf(agents)]).toEqual([
      { 201: 1, 409: 9 },
      { 201: 1, 409: 4 },
    ]);
  });

  it('keeps one owner when two archive each other', async () => {
    const rival = await seedAgent(desk.sql, desk.account.id, { role: 'owner' });
    const duel = [
      () => desk.client().post(`/v1/agents/${rival.email}/archive`),
      () => desk.client(rival.token).post(`/v1/agents/${desk.account.owner.email}/archive`),
    ];

    const answers = await many(2, (place) => duel[place]!());
    const { rows } = await desk.sql.query(
      "select id from agents where account_id = $1 and role = 'owner' and state = 'active'",
      [desk.account.id],
    );
    await desk.sql.query("update agents set state = 'active', archived_at = null where id = $1", [
      desk.account.owner.id,
    ]);

    expect(rows).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('keeps one mailbox when the last two are deleted', async () => {
    const account = await seedAccount(desk.sql);
    const client = desk.client(account.owner.token);
    const left: number[] = [];

    for (let round = 0; round < 5; round++) {
      await client.post('/v1/mailboxes', { name: `Round ${round}`, email: newEmail('round') });
      const { mailboxes } = (await client.get('/v1/mailboxes')).body;
      await many(2, (place) => client.delete(`/v1/mailboxes/${mailboxes[place].id}`));
      left.push((await client.get('/v1/mailboxes')).body.mailboxes.length);
    }

    expect(left).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('a webhook change that PostgreSQL aborts because of a deadlock', () => {
  it('succeeds when it is retried', async () => {
    const account = await seedAccount(desk.sql);
    const client = desk.client(account.owner.token);
    const { id } = (await client.post('/v1/webhooks', { event: 'ticket_closed', url: 'https://example.com/' })).body
      .webhook;
    const values = [uuidAt(new Date(1)), account.id, id, account.owner.id];
    await desk.sql.query(
      `insert into replays (id, account_id, webhook_id, agent_id, choice, since, before, state, next_step_at, created_at)
       values ($1, $2, $3, $4, 'failed', now(), now(), 'running', 'infinity', now())`,
      values,
    );
    // The deletion locks the webhook, then its secret, then its replay.
    const [holder, rival] = [await beginRival(desk), await beginRival(desk)];
    await holder.query('select from webhook_secrets where webhook_id = $1 for update', [id]);
    // Only the API checks for deadlocks, so that PostgreSQL aborts its transaction.
    await rival.query("set local deadlock_timeout = '1h'");
    await rival.query('select from replays where webhook_id = $1 for update', [id]);

    const deletion = client.delete(`/v1/webhooks/${id}`);
    await lockWaits(desk);
    const update = rival.query('update webhooks set updated_at = now() where id = $1', [id]);
    await lockWaits(desk, 2);
    await holder.query('commit');
    await update;
    await rival.query('commit');

    expect((await deletion).status).toBe(204);
    const { rows } = await desk.sql.query('select state from replays where webhook_id = $1', [id]);
    expect(rows).toEqual([{ state: 'cancelled' }]);
    await Promise.all([holder.end(), rival.end()]);
  });
});

describe('deleting a webhook', () => {
  it('keeps no lock of the webhook while it waits for an owed delivery, which workers lock first', async () => {
    const account = await seedAccount(desk.sql);
    const client = desk.client(account.owner.token);
    const wanted = { event: 'ticket_closed', url: 'https://example.com/owed' };
    const { id } = (await client.post('/v1/webhooks', wanted)).body.webhook;
    await desk.sql.query(
      `insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
       values ($1, $2, $3, $1, 0, false, now() + interval '1 hour')`,
      [uuidAt(new Date()), account.id, id],
    );
    const holder = await beginRival(desk);
    await holder.query('select from owed_deliveries where webhook_id = $1 for update', [id]);
    const deletion = client.delete(`/v1/webhooks/${id}`);
    await lockWaits(desk);
    const locked = holder.query('select from webhooks where id = $1 for update nowait', [id]);

    await expect(locked).resolves.toMatchObject({ rowCount: 0 });
    await holder.query('commit');
    expect((await deletion).status).toBe(204);
    expect((await desk.sql.query('select from owed_deliveries where webhook_id = $1', [id])).rowCount).toBe(0);
    await holder.end();
  });
});
