import type { Scope } from '#libs/entities';
import { describe, expect, it } from 'vitest';
import { newAccount } from '#test/support/account-desk.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { inviteAgent, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventKindsEmittedBy } from '#test/support/emitted-events.js';
import { Mirror } from '#test/support/mirror.js';
import { seedAgent, seedToken } from '#test/support/seed.js';

const desk = deskForFile();

const [FIRST, SECOND, THIRD] = ['2019-03-01T08:00:00.000Z', '2019-03-01T09:30:00.000Z', '2019-03-04T10:00:00.000Z'];

const oldTicket = (fields: object = {}) => ({
  body: 'From another system',
  from: newEmail(),
  to: desk.account.mailbox.email,
  import: true,
  created_at: FIRST,
  ...fields,
});
const importTicket = async (fields: object = {}) =>
  (await desk.client().post('/v1/tickets', oldTicket(fields))).body.ticket;
const importMessage = (number: number, fields: object) =>
  desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Older', import: true, created_at: SECOND, ...fields });
const readTicket = async (number: number) => (await desk.client().get(`/v1/tickets/${number}`)).body.ticket;

const tokenOf = (scopes: Scope[]) =>
  seedToken(desk.sql, { accountId: desk.account.id, agentId: desk.account.owner.id, scopes });

describe('an imported ticket', () => {
  it('keeps its times, and leaves the closer and an unknown end open', async () => {
    const closed = await importTicket({
      state: 'closed',
      closed_at: SECOND,
      external_id: 'z-1',
      custom: { origin: 'Z' },
    });
    const unknown = await importTicket({ state: 'closed' });
    const open = await importTicket({ state: 'opened', assignee: desk.account.owner.email });

    expect(closed).toMatchObject({ created_at: FIRST, updated_at: FIRST, closed_at: SECOND, resolution_time: 5400 });
    expect(closed).toMatchObject({ closed_by: null, external_id: 'z-1', custom: { origin: 'Z' } });
    expect(unknown).toMatchObject({ state: 'closed', closed_at: null, resolution_time: null });
    expect(open).toMatchObject({ state: 'opened', updated_at: FIRST, first_reply_at: null });
  });

  it('causes no event, webhook or email, and is in the feed of changes and the activity log', async () => {
    const mirror = new Mirror(desk.client());
    await mirror.catchUp(desk.sql);
    const kinds = await eventKindsEmittedBy(desk, async () => {
      const { number } = await importTicket({
        from: desk.account.owner.email,
        to: newEmail(),
        send_copy_to_customer: true,
      });
      await importMessage(number, { author: desk.account.owner.email, cc: ['boss@client.example'] });
      await importMessage(number, { author: newEmail() });
      await desk.client().post('/v1/customers', { email: newEmail(), import: true, created_at: FIRST });
    });
    const { rows } = await desk.sql.query(
      `select kind from activities where kind like '%imported' group by kind order by kind`,
    );
    const mails = await desk.sql.query('select 1 from outgoing_mails');

    expect([kinds, mails.rows]).toEqual([[], []]);
    expect(await mirror.catchUp(desk.sql)).toBeGreaterThan(6);
    expect(rows.map(({ kind }) => kind)).toEqual(['customer_imported', 'message_imported', 'ticket_imported']);
  });

  it('stands in the list at its date', async () => {
    const here = await newAccount(desk);
    const now = await startTicket(here);
    const { number } = (await here.client().post('/v1/tickets', { ...oldTicket(), to: here.account.mailbox.email }))
      .body.ticket;
    const { tickets } = (await here.client().get('/v1/tickets?sort=-updated_at')).body;

    expect(tickets.map((ticket: { number: number }) => ticket.number)).toEqual([now.number, number]);
  });

  it.each([
    ['a time in the future', { created_at: '2199-01-01T00:00:00Z' }, 'created_at', 'in_the_future'],
    ['an end in the future', { state: 'closed', closed_at: '2199-01-01T00:00:00Z' }, 'closed_at', 'in_the_future'],
    [
      'an end before its start',
      { state: 'closed', closed_at: '2018-01-01T00:00:00Z' },
      'closed_at',
      'before_created_at',
    ],
    ['an end while it is open', { closed_at: SECOND }, 'closed_at', 'not_closed'],
    ['no time', { created_at: 'yesterday' }, 'created_at', 'not_a_time'],
    ['a flag that is a text', { import: 'maybe' }, 'import', 'not_a_boolean'],
  ])('is refused with %s', async (_, fields, field, code) => {
    const { status, body } = await desk.client().post('/v1/tickets', oldTicket(fields));

    expect([status, body.errors[0].field, body.errors[0].code]).toEqual([422, field, code]);
  });
});

describe('a ticket that is not imported', () => {
  it.each([undefined, false, 'false', null])('ignores its times and reports them, with import %s', async (flag) => {
    const before = Date.now();
    const fields = { ...oldTicket({ import: flag }), closed_at: THIRD };
    const { status, headers, body } = await desk.client().post('/v1/tickets', fields);

    expect([status, headers.get('deskwire-ignored')]).toEqual([201, 'created_at, closed_at']);
    expect(Date.parse(body.ticket.created_at)).toBeGreaterThanOrEqual(before);
  });

  it('causes 422 with handling=strict if it has created_at', async () => {
    const strict = { prefer: 'handling=strict' };
    const { status, body } = await desk.client().post('/v1/tickets', oldTicket({ import: false }), strict);

    expect([status, body.errors[0].field, body.errors[0].code]).toEqual([422, 'created_at', 'unknown_field']);
  });
});

describe('an imported message', () => {
  it('stands at its date, without waking, reopening or changing the ticket', async () => {
    const { number } = await importTicket({ state: 'closed', closed_at: THIRD, cc: ['boss@client.example'] });
    const snoozed = await startTicket(desk);
    await desk.client().put(`/v1/tickets/${snoozed.number}/snoozed_until`, { snoozed_until: '2199-01-01T00:00:00Z' });
    const later = await importMessage(number, { created_at: THIRD, cc: ['new@client.example'] });
    const earlier = await importMessage(number, { author: newEmail() });
    const note = await importMessage(number, { created_at: FIRST, note: true });
    await importMessage(snoozed.number, { author: newEmail() });
    const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;
    const times = messages.map((message: { created_at: string }) => message.created_at);
    const waiting = await desk.sql.query(
      'select 1 from tickets where account_id = $1 and number = $2 and waiting_since is not null',
      [desk.account.id, number],
    );

    expect([later.status, earlier.status, note.status]).toEqual([201, 201, 201]);
    expect(later.body.message).toMatchObject({
      created_at: THIRD,
      updated_at: THIRD,
      cc: ['new@client.example'],
      delivery: null,
    });
    expect(times).toEqual([FIRST, FIRST, SECOND, THIRD]);
    expect(await readTicket(number)).toMatchObject({
      state: 'closed',
      message_count: 4,
      updated_at: THIRD,
      first_reply_at: THIRD,
      cc: ['boss@client.example'],
    });
    expect(waiting.rows).toEqual([]);
    expect(await readTicket(snoozed.number)).toMatchObject({
      snoozed_until: '2199-01-01T00:00:00.000Z',
      state: 'unread',
    });
  });

  it('shows `sent_at` as its time, and as that of the first reply', async () => {
    const { number } = await importTicket();
    const { body } = await importMessage(number, { created_at: THIRD, sent_at: SECOND });

    expect(body.message.created_at).toBe(SECOND);
    expect(await readTicket(number)).toMatchObject({ first_reply_at: SECOND });
  });

  it('keeps the earliest reply as the first, in whatever order the replies come', async () => {
    const { number } = await importTicket();
    await importMessage(number, { created_at: THIRD });
    await importMessage(number, { created_at: SECOND });
    await importMessage(number, { created_at: FIRST, note: true });

    expect(await readTicket(number)).toMatchObject({ first_reply_at: SECOND, updated_at: THIRD });
  });
});

describe('an import that is repeated', () => {
  it('returns the ticket with this external id unchanged, also for ten requests at once', async () => {
    const body = oldTicket({ external_id: 'again' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => desk.client().post('/v1/tickets', body)));
    const other = await desk.client().post('/v1/tickets', { ...body, subject: 'Other', created_at: SECOND });
    const made = answers.filter(({ status }) => status === 201);
    const [{ ticket }] = made.map((answer) => answer.body) as [{ ticket: object }];

    expect([made.length, answers.filter(({ status }) => status === 200).length]).toEqual([1, 9]);
    expect([other.status, other.body.ticket]).toEqual([200, ticket]);
  });

  it('returns the customer with this email or external id unchanged', async () => {
    const [email, other] = [newEmail(), newEmail()];
    const post = (fields: object) =>
      desk.client().post('/v1/customers', { import: true, created_at: FIRST, ...fields });
    const made = await post({ email, external_id: 'u-1', name: 'Ann Lee' });
    const byEmail = await post({ email, name: 'Other' });
    const byId = await post({ email: other, external_id: 'u-1' });

    expect([made.status, byEmail.status, byId.status]).toEqual([201, 200, 200]);
    expect(made.body.customer).toMatchObject({ created_at: FIRST, updated_at: FIRST });
    expect([byEmail.body, byId.body]).toEqual([made.body, made.body]);
  });

  it('finds nothing of another account', async () => {
    const other = await newAccount(desk);
    await importTicket({ external_id: 'theirs' });
    const { status } = await other
      .client()
      .post('/v1/tickets', { ...oldTicket({ external_id: 'theirs' }), to: other.account.mailbox.email });

    expect(status).toBe(201);
  });
});

describe('an import', () => {
  it('needs the whole scope admin, and names it', async () => {
    const client = desk.client(await tokenOf(['read', 'write', 'webhooks', 'settings']));
    const { number } = await importTicket();
    const refused = [
      await client.post('/v1/tickets', oldTicket()),
      await client.post(`/v1/tickets/${number}/messages`, { body: 'Older', import: true }),
      await client.post('/v1/customers', { email: newEmail(), import: true }),
    ];

    for (const { status, body, headers } of refused) {
      expect([status, body.error]).toEqual([403, 'insufficient_scope']);
      expect(headers.get('www-authenticate')).toContain('scope="admin"');
    }
  });

  it('needs an owner or admin', async () => {
    const { token } = await seedAgent(desk.sql, desk.account.id, {});
    const { number } = await importTicket();
    const refused = [
      await desk.client(token).post('/v1/tickets', oldTicket()),
      await desk.client(token).post(`/v1/tickets/${number}/messages`, { body: 'Older', import: true }),
      await desk.client(token).post('/v1/customers', { email: newEmail(), import: true }),
    ];

    for (const { status } of refused) expect(status).toBe(403);
    expect(await readTicket(number)).toMatchObject({ message_count: 1 });
  });

  it('may be of a message that another agent wrote', async () => {
    const { email } = await inviteAgent(desk);
    const { number } = await importTicket();
    const { body } = await importMessage(number, { author: email });

    expect(body.message).toMatchObject({ author_type: 'agent', agent_response: true });
  });
});
