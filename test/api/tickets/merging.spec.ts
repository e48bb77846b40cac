import { describe, expect, it } from 'vitest';
import { activitiesOf } from '#test/support/activities.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { eventKindsEmittedBy } from '#test/support/emitted-events.js';
import { Mirror, differencesToApi } from '#test/support/mirror.js';
import { walkValues } from '#test/support/pages.js';

const desk = deskForFile();
const client = () => desk.client();

const read = (number: number) => client().get(`/v1/tickets/${number}`);
const say = (number: number, body: string, fields: object = {}) =>
  client().post(`/v1/tickets/${number}/messages`, { body, ...fields });
const merge = (number: number, into: unknown, headers?: Record<string, string>) =>
  client().post(`/v1/tickets/${number}/merge`, { into }, headers);
const bodiesOf = (number: number): Promise<string[]> =>
  walkValues(client(), `/v1/tickets/${number}/messages?per_page=20`, 'body');

const found = async (q: string) =>
  (await client().get(`/v1/tickets?q=${q}`)).body.tickets.map((ticket: { number: number }) => ticket.number);

async function twoTickets(ofKept: object = {}, ofGone: object = {}) {
  const from = newEmail();
  const kept = await startTicket(desk, { from, body: 'First.', ...ofKept });
  const gone = await startTicket(desk, { from, body: 'Second.', ...ofGone });
  return { from, kept: kept.number as number, gone: gone.number as number };
}

describe('merging two tickets', () => {
  it('leaves the external ID of the old ticket leading to the other one, also when it is imported again', async () => {
    const externalId = `merged-${newEmail()}`;
    const { from, kept, gone } = await twoTickets({}, { external_id: externalId });
    await merge(gone, kept);
    const listed = await client().get(`/v1/tickets?external_id=${encodeURIComponent(externalId)}`);
    const fields = { from, body: 'Second.', to: desk.account.mailbox.email, external_id: externalId, import: true };
    const again = await client().post('/v1/tickets', fields);

    expect(listed.body.tickets).toMatchObject([{ number: kept }]);
    expect([again.status, again.body.ticket?.number]).toEqual([200, kept]);
  });

  it('moves the messages in the order of their times', async () => {
    const { kept, gone } = await twoTickets();
    await say(kept, 'Third.');
    await say(gone, 'Fourth.', { note: true });
    await say(kept, 'Fifth.');

    const { status, body } = await merge(gone, kept);

    expect([status, body.ticket.number, body.ticket.message_count]).toEqual([200, kept, 5]);
    expect(body).toEqual((await read(kept)).body);
    expect(await bodiesOf(kept)).toEqual(['First.', 'Second.', 'Third.', 'Fourth.', 'Fifth.']);
    expect(body.ticket.last_message_plain_text).toBe('Fifth.');
  });

  it('leaves nothing in a group or mailbox, so that these can be deleted', async () => {
    const [name, email] = [newEmail('group'), newEmail()];
    await client().post('/v1/groups', { name });
    await client().post('/v1/mailboxes', { name: email, email });
    const { kept, gone } = await twoTickets({}, { assigned_group: name, mailbox: email });
    await merge(gone, kept);
    const deleted = [await client().delete(`/v1/groups/${name}`), await client().delete(`/v1/mailboxes/${email}`)];

    expect(deleted.map(({ status }) => status)).toEqual([204, 204]);
  });

  it('leaves no activity of the old ticket when its customer is deleted', async () => {
    const { from, kept, gone } = await twoTickets();
    const { rows: ids } = await desk.sql.query('select id from tickets where account_id = $1 and number = any($2)', [
      desk.account.id,
      [kept, gone],
    ]);
    await merge(gone, kept);
    await client().delete(`/v1/tickets/${kept}`);
    const { status } = await client().delete(`/v1/customers/${from}`);
    const { rows } = await desk.sql.query('select kind from activities where ticket_id = any($1)', [
      ids.map(({ id }) => id),
    ]);

    expect([status, rows]).toEqual([204, []]);
  });

  it('takes the summary of the ticket that began first', async () => {
    const { kept, gone } = await twoTickets();

    expect((await merge(kept, gone)).body.ticket.summary).toBe('First.');
    expect((await read(gone)).body.ticket.summary).toBe('First.');
  });

  it('joins tags and people in copy, with the other customer, but not our own addresses', async () => {
    const own = desk.account.mailbox.email;
    const { number: kept } = await startTicket(desk, { tags: ['vip', 'Bug'], cc: ['boss@client.test'] });
    const other = await startTicket(desk, { from: 'ben@client.test', tags: ['bug', 'late'] });
    await desk.sql.query('update tickets set cc_addresses = $2 where number = $1', [
      other.number,
      ['x@client.test', own],
    ]);
    const { ticket } = (await merge(other.number, kept)).body;

    expect(ticket.tags).toEqual(['vip', 'Bug', 'late']);
    expect(ticket.cc.toSorted()).toEqual(['ben@client.test', 'boss@client.test', 'x@client.test']);
  });

  it.each([
    ['closed', 'unread', 'unread', []],
    ['closed', 'opened', 'opened', ['ticket_opened']],
    ['spam', 'pending', 'pending', []],
    ['pending', 'unread', 'pending', []],
    ['closed', 'spam', 'closed', []],
  ])('of which the one that stays is %s and the other %s leaves it %s', async (state, other, after, events) => {
    const { kept, gone } = await twoTickets({ state }, { state: other });

    const kinds = await eventKindsEmittedBy(desk, async () => {
      await merge(gone, kept);
    });

    expect((await read(kept)).body.ticket.state).toBe(after);
    expect(kinds).toEqual(events);
  });

  it('wakes the ticket that stays if the other one is awake', async () => {
    const { kept, gone } = await twoTickets();
    await client().patch(`/v1/tickets/${kept}`, { snoozed_until: '2050-05-01T09:00:00.000Z' });

    expect((await merge(gone, kept)).body.ticket.snoozed_until).toBeNull();
  });

  it('waits for an answer since the first question', async () => {
    const { kept, gone } = await twoTickets();
    await say(gone, 'Answer.');
    const { first_reply_at: replied } = (await read(gone)).body.ticket;
    const { body } = await merge(gone, kept);
    const { rows } = await desk.sql.query('select waiting_since = created_at as waits from tickets where number = $1', [
      kept,
    ]);

    expect(rows).toEqual([{ waits: true }]);
    expect(body.ticket.first_reply_at).toBe(replied);
  });

  it('is found by the external IDs of both tickets', async () => {
    const ids = [newEmail(), newEmail(), newEmail()];
    const one = await twoTickets({}, { external_id: ids[0] });
    const two = await twoTickets({ external_id: ids[1] }, { external_id: ids[2] });
    await merge(one.gone, one.kept);
    await merge(two.gone, two.kept);
    const numbers = await Promise.all(ids.map((id) => walkValues(client(), `/v1/tickets?external_id=${id}`, 'number')));

    expect(numbers).toEqual([[one.kept], [two.kept], [two.kept]]);
  });

  it('is recorded as an activity of the ticket that stays', async () => {
    const { kept, gone } = await twoTickets();
    await merge(gone, kept);

    expect((await activitiesOf(desk, kept)).at(-1)).toMatchObject({ kind: 'ticket_merged', detail: { ticket: gone } });
  });

  it('leaves the files at their messages, and finds their words in the ticket that stays', async () => {
    const { kept, gone } = await twoTickets({}, { body: 'The zeppelin leaks.', subject: 'Airship' });
    await merge(gone, kept);

    expect(await found('zeppelin')).toEqual([kept]);
    expect(await found('airship')).toEqual([kept]);
    expect(await found(`%23${gone}`)).toEqual([kept]);
    expect(await found(`${gone}`)).toContain(kept);
  });

  it('is reported to clients that follow changes', async () => {
    const { kept, gone } = await twoTickets();
    const mirror = new Mirror(client());
    await mirror.catchUp(desk.sql);
    await merge(gone, kept);
    const { body } = await client().get(
      `/v1/changes?cursor=${mirror.cursor}&type=ticket,message,mailbox,agent,group,customer,attachment`,
    );
    const changes = body.changes as { type: string; id: string; deleted: boolean; record: Record<string, unknown> }[];
    await mirror.catchUp(desk.sql);

    expect(changes.find(({ id }) => id === String(gone))).toMatchObject({
      deleted: true,
      record: { merged_into: kept },
    });
    expect(changes.filter(({ type }) => type === 'message').map(({ record }) => record['ticket_number'])).toEqual([
      kept,
    ]);
    expect(await differencesToApi(mirror, client())).toEqual([]);
  });
});

describe('the number of a merged ticket', () => {
  it('leads GET and HEAD to the same path of the other one', async () => {
    const { kept, gone } = await twoTickets();
    await merge(gone, kept);

    for (const path of ['', '?include=messages', '/messages?per_page=2', '/state', '/tags']) {
      const answer = await client().get(`/v1/tickets/${gone}${path}`);
      expect([answer.status, answer.headers.get('location')]).toEqual([301, `/v1/tickets/${kept}${path}`]);
      expect(answer.body).toMatchObject({ error: 'merged', merged_into: kept });
    }
    expect((await client().send('HEAD', `/v1/tickets/${gone}`)).status).toBe(301);
  });

  it('returns 409 for everything else, and names the other one', async () => {
    const { kept, gone } = await twoTickets();
    await merge(gone, kept);
    const path = `/v1/tickets/${gone}`;
    const answers = [
      await say(gone, 'Too late.'),
      await client().patch(path, { state: 'closed' }),
      await client().put(`${path}/state`, { state: 'closed' }),
      await client().post(`${path}/restore`),
      await client().delete(path),
      await merge(gone, kept),
    ];

    for (const { status, body } of answers)
      expect([status, body.error, body.merged_into, body.detail]).toEqual([
        409,
        'merged',
        kept,
        `Ticket #${gone} was merged into #${kept}.`,
      ]);
    expect((await client().post('/v1/tickets/batch', { numbers: [gone], state: 'closed' })).body.results).toMatchObject(
      [{ number: gone, status: 409, error: 'merged' }],
    );
  });

  it('leads to the last ticket after several merges', async () => {
    const { kept, gone } = await twoTickets();
    const last = await startTicket(desk);
    await merge(gone, kept);
    await merge(kept, last.number);

    expect((await read(gone)).headers.get('location')).toBe(`/v1/tickets/${last.number}`);
    expect(await bodiesOf(last.number)).toEqual(['First.', 'Second.', 'I cannot sign in.']);
  });

  it('is in no list and no count', async () => {
    const { from, kept, gone } = await twoTickets();
    const before = (await client().get('/v1/tickets/count')).body;
    await merge(gone, kept);
    const after = (await client().get('/v1/tickets/count')).body;
    const lists = ['', '?folder=deleted', '?sort=-updated_at', '?folder=deleted&sort=-updated_at', `?customer=${from}`];
    const listed = await Promise.all(lists.map((query) => walkValues(client(), `/v1/tickets${query}`, 'number')));

    expect(after.deleted).toBe(before.deleted);
    expect(after.open).toBe(before.open - 1);
    expect(listed.flat()).not.toContain(gone);
    expect(listed[0]).toContain(kept);
  });
});

describe('a merge is refused', () => {
  it.each([
    ['into itself', (number: number) => number, 'same_ticket'],
    ['into an unknown ticket', () => 2_147_483_647, 'unknown_into'],
    ['into no number', () => 'ten', 'not_an_integer'],
  ])('%s', async (_, into, code) => {
    const { number } = await startTicket(desk);
    const { status, body } = await merge(number, into(number));

    expect([status, body.errors[0].field, body.errors[0].code]).toEqual([422, 'into', code]);
  });

  it('into a merged or deleted ticket', async () => {
    const { kept, gone } = await twoTickets();
    const { number } = await startTicket(desk);
    await merge(gone, kept);
    const intoMerged = await merge(number, gone);
    await client().delete(`/v1/tickets/${kept}`);
    const intoDeleted = await merge(number, kept);

    expect(intoMerged.body.errors).toMatchObject([{ field: 'into', code: 'merged' }]);
    expect(intoDeleted.body.errors).toMatchObject([{ field: 'into', code: 'deleted' }]);
  });

  it('of a deleted ticket, one of another account, or one that changed since it was read', async () => {
    const { kept, gone } = await twoTickets();
    const stale = (await read(gone)).headers.get('etag')!;
    await say(gone, 'More.');

    expect((await merge(gone, kept, { 'if-match': stale })).status).toBe(412);
    await client().delete(`/v1/tickets/${gone}`);
    expect((await merge(gone, kept)).status).toBe(404);
    expect((await merge(2_147_483_646, kept)).status).toBe(404);
  });

  it('without the right to write', async () => {
    const { kept, gone } = await twoTickets();
    expect((await desk.anonymous().post(`/v1/tickets/${gone}/merge`, { into: kept })).status).toBe(401);
  });
});
