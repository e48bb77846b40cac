import type { Scope } from '#libs/entities';
import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '#test/support/api-client.js';
import { newAccount } from '#test/support/account-desk.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { newEmail, startTicket, ticketFromAna } from '#test/support/desk-records.js';
import { formOf, postFiles } from '#test/support/upload.js';
import { seedAgent } from '#test/support/seed.js';
import { TOOLS, type ToolName, mcpClient } from './support/mcp-client.js';

const desk = deskForFile();

const numbersOf = ({ tickets }: { tickets: { number: number }[] }) => tickets.map(({ number }) => number);

describe('search_tickets', () => {
  it('finds tickets by words and filters', async () => {
    const client = await mcpClient(desk);
    const wanted = await startTicket(desk, { body: 'The zeppelin leaks', tags: ['gas'], priority: 'high' });
    await startTicket(desk, { body: 'The zeppelin is full' });

    const found = await client.output('search_tickets', {
      q: 'zeppelin',
      tag: 'gas',
      state: ['unread'],
      priority: 'high',
    });

    expect(found.tickets).toEqual([
      expect.objectContaining({
        number: wanted.number,
        state: 'unread',
        tags: ['gas'],
        url: wanted.app_url,
        untrusted_text: {
          title: null,
          customer_name: null,
          customer_email: wanted.customer_name,
          last_message: 'The zeppelin leaks',
        },
      }),
    ]);
  });

  it('reads on with the cursor', async () => {
    const client = await mcpClient(desk);
    const numbers: number[] = [];
    for (let count = 0; count < 23; count++)
      numbers.push((await startTicket(desk, { tags: ['paged'] })).number as number);

    const first = await client.output('search_tickets', { tag: 'paged' });
    const second = await client.output('search_tickets', { tag: 'paged', cursor: first.next_cursor });

    expect(first.tickets).toHaveLength(20);
    expect(second.next_cursor).toBeNull();
    expect([...numbersOf(first), ...numbersOf(second)]).toEqual(numbers.toReversed());
  });

  it.each(['الفاتورة', '請求書の件', '🧾 invoice', 'نص "مقتبس"'])('takes %s', async (q) => {
    const { number } = await startTicket(desk, { body: `${q} ${newEmail()}` });

    expect(numbersOf(await (await mcpClient(desk)).output('search_tickets', { q }))).toContain(number);
  });
});

describe('list_waiting', () => {
  it('lists open tickets whose customers wait, the longest wait first', async () => {
    const other = await newAccount(desk);
    const client = await mcpClient(desk, { agent: other.account.owner });
    const numbers: number[] = [];
    for (let count = 0; count < 4; count++) numbers.push(await ticketFromAna(other));
    const [first, answered, second, closed] = numbers;
    await other.client().post(`/v1/tickets/${answered}/messages`, { body: 'Done.' });
    await other.client().put(`/v1/tickets/${closed}/state`, { state: 'closed' });

    expect(await client.output('list_waiting')).toMatchObject({
      tickets: [
        { number: first, waiting_since: expect.any(String) },
        { number: second, waiting_since: expect.any(String) },
      ],
      next_cursor: null,
    });
  });
});

describe('read_ticket', () => {
  it('reads the thread, newest first, with notes and the names of files', async () => {
    const number = await ticketFromAna(desk, { subject: 'Login', body: 'I cannot sign in.' });
    const { body } = await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Try again.' });
    await postFiles(desk, body.message.id, formOf([{ name: 'how to.txt', bytes: 'a' }]));
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'A bug.', note: true });

    const { ticket, messages, next_cursor: next } = await (await mcpClient(desk)).output('read_ticket', { number });

    const agent = desk.account.owner.email;
    expect(ticket).toMatchObject({ number, message_count: 3, untrusted_text: { title: 'Login' } });
    expect(messages).toMatchObject([
      { note: true, agent, is_cut: false, untrusted_text: { body: 'A bug.', customer_email: null, files: [] } },
      { note: false, agent, untrusted_text: { body: 'Try again.', files: ['how to.txt'] } },
      { note: false, agent: null, untrusted_text: { body: 'I cannot sign in.', customer_email: 'ana@client.example' } },
    ]);
    expect(next).toBeNull();
  });

  it('cuts long bodies between characters, and says so', async () => {
    const number = await ticketFromAna(desk, { body: '🧾'.repeat(5000) });

    const { messages } = await (await mcpClient(desk)).output('read_ticket', { number });

    expect(messages).toMatchObject([{ is_cut: true, untrusted_text: { body: '🧾'.repeat(4000) } }]);
  });

  it('reads twenty messages at a time', async () => {
    const number = await ticketFromAna(desk);
    for (let count = 1; count <= 21; count++)
      await desk.client().post(`/v1/tickets/${number}/messages`, { body: `Reply ${count}` });
    const client = await mcpClient(desk);

    const first = await client.output('read_ticket', { number });
    const second = await client.output('read_ticket', { number, cursor: first.next_cursor });

    expect(first.messages).toHaveLength(20);
    expect(first.messages[0].untrusted_text.body).toBe('Reply 21');
    expect(second.messages).toMatchObject([
      { untrusted_text: { body: 'Reply 1' } },
      { untrusted_text: { body: 'Hello' } },
    ]);
  });
});

describe('add_note', () => {
  it('adds a note as the person, and one for each key', async () => {
    const number = await ticketFromAna(desk);
    const client = await mcpClient(desk);
    const given = { number, body: 'Asked twice.', idempotency_key: 'note-1' };

    const first = await client.output('add_note', given);
    const second = await client.output('add_note', given);

    expect(second).toEqual(first);
    const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;
    expect(messages).toMatchObject([{ body: 'Hello' }, { body: 'Asked twice.', note: true, id: first.message_id }]);
    expect(await client.refusal('add_note', { ...given, body: 'Other' })).toMatchObject({
      error: 'idempotency_key_reused',
    });
  });

  it('adds one note if calls with one key arrive together', async () => {
    const number = await ticketFromAna(desk);
    const client = await mcpClient(desk);

    await Promise.all(
      Array.from({ length: 8 }, () => client.call('add_note', { number, body: 'Once.', idempotency_key: 'together' })),
    );

    expect((await desk.client().get(`/v1/tickets/${number}/messages`)).body.messages).toHaveLength(2);
  });
});

describe('change_ticket', () => {
  it('sets state, tags, assignee and snooze, and emits what REST emits', async () => {
    const agent = await seedAgent(desk.sql, desk.account.id);
    const number = await ticketFromAna(desk, { tags: ['old'] });
    const until = new Date(Date.now() + 86_400_000).toISOString();

    const { ticket } = await (
      await mcpClient(desk)
    ).output('change_ticket', { number, state: 'pending', tags: ['new'], assignee: agent.email, snoozed_until: until });

    expect(ticket).toMatchObject({ state: 'pending', tags: ['new'], assignee: agent.email, snoozed_until: until });
    const { rows } = await desk.sql.query<{ kind: string }>(
      `select kind from activities a join tickets t on t.id = a.ticket_id where t.number = $1 and t.account_id = $2`,
      [number, desk.account.id],
    );
    const kinds = ['ticket_started', 'ticket_assigned', 'ticket_snoozed', 'ticket_state_changed', 'ticket_tagged'];
    expect(rows.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds));
  });

  it('removes the assignee and the snooze with null', async () => {
    const number = await ticketFromAna(desk, { assignee: desk.account.owner.email });

    const { ticket } = await (
      await mcpClient(desk)
    ).output('change_ticket', { number, assignee: null, snoozed_until: null });

    expect(ticket).toMatchObject({ assignee: null, snoozed_until: null });
  });
});

describe('arguments', () => {
  it.each([
    ['read_ticket', { number: '12' }, 'number', 'not_an_integer'],
    ['read_ticket', { number: { a: 1 } }, 'number', 'not_an_integer'],
    ['read_ticket', {}, 'number', 'required'],
    ['read_ticket', { number: 1, account_id: 'x' }, 'account_id', 'unknown_field'],
    ['read_ticket', { number: 1, per_page: 50 }, 'per_page', 'unknown_field'],
    ['search_tickets', { state: ['asleep'] }, 'state', 'not_a_choice'],
    ['search_tickets', { cursor: 'bm9uc2Vuc2U' }, 'cursor', 'invalid_cursor'],
    ['search_tickets', { folder: 'deleted' }, 'folder', 'unknown_field'],
    ['change_ticket', { number: 1, tags: Array.from({ length: 9000 }, (_, at) => `t${at}`) }, 'tags', 'too_many'],
    ['change_ticket', { number: 1, title: 'x' }, 'title', 'unknown_field'],
    ['add_note', { number: 1, body: '' }, 'body', 'empty'],
    ['add_note', { number: 1, body: 'x'.repeat(500_001) }, 'body', 'too_long'],
    ['add_note', { number: 1, body: 'a', send: true }, 'send', 'unknown_field'],
    ['draft_reply', { number: 1, body: ['a'] }, 'body', 'not_a_text'],
  ] as const)('of %s are refused with the field and the rule: %j', async (tool, given, field, code) => {
    const { error, errors } = await (await mcpClient(desk)).refusal(tool, given);

    expect([error, errors]).toEqual([expect.any(String), [expect.objectContaining({ field, code })]]);
  });

  it('must be an object', async () => {
    const { body } = await (await mcpClient(desk)).call('search_tickets', ['a']);

    expect(body.error.code).toBe(-32602);
  });
});

/** One valid call of each tool. */
const CALLS: Readonly<Record<ToolName, (number: number) => object>> = {
  search_tickets: () => ({}),
  list_waiting: () => ({}),
  read_ticket: (number) => ({ number }),
  draft_reply: (number) => ({ number, body: 'A draft' }),
  add_note: (number) => ({ number, body: 'A note' }),
  change_ticket: (number) => ({ number, tags: ['seen'] }),
};

const outcomeOf = ({ status, headers, body }: ApiResponse) =>
  status === 200 && body.result.isError === undefined
    ? 'done'
    : /error="(\w+)".*scope="[\w: ]+"/.exec(headers.get('www-authenticate') ?? '')?.[1];

describe('scopes', () => {
  const READING: readonly ToolName[] = ['search_tickets', 'list_waiting', 'read_ticket'];
  const OPENED: readonly (readonly [Scope[], readonly ToolName[]])[] = [
    [['tickets:read'], READING],
    [['tickets:write'], ['change_ticket']],
    [['messages:write'], ['add_note']],
    [
      ['tickets:read', 'messages:write'],
      [...READING, 'draft_reply', 'add_note'],
    ],
    [['read'], READING],
    [['write'], ['add_note', 'change_ticket']],
    [['read', 'write'], TOOLS],
    ...(['customers:read', 'people:read', 'customers:write', 'settings', 'webhooks', 'admin'] as const).map(
      (scope) => [[scope], []] as const satisfies readonly [Scope[], ToolName[]],
    ),
  ];

  it.each(OPENED)('%j open %j and no other tool', async (scopes, opened) => {
    const client = await mcpClient(desk, { scopes });
    const number = await ticketFromAna(desk);

    expect(await client.toolNames()).toEqual(opened);
    const outcomes = await Promise.all(
      TOOLS.map(async (tool) => outcomeOf(await client.call(tool, CALLS[tool](number)))),
    );
    const expected = TOOLS.map((tool) => (opened.includes(tool) ? 'done' : 'insufficient_scope'));
    expect(outcomes).toEqual(expected);
  });

  it('names exactly the missing scope', async () => {
    const { headers } = await (await mcpClient(desk, { scopes: ['tickets:read'] })).call('draft_reply', {});

    expect(headers.get('www-authenticate')).toContain('scope="messages:write"');
  });
});

describe('isolation', () => {
  it.each(['read_ticket', 'draft_reply', 'add_note', 'change_ticket'] as const)(
    'keeps the tickets of other accounts from %s',
    async (tool) => {
      const [owner, outsider] = [await newAccount(desk), await newAccount(desk)];
      const { number } = await startTicket(owner, { body: 'A secret' });
      const given = CALLS[tool](number as number);

      await (await mcpClient(desk, { agent: owner.account.owner })).output(tool, given);
      const refusal = await (await mcpClient(desk, { agent: outsider.account.owner })).refusal(tool, given);
      expect(refusal).toMatchObject({ error: 'ticket_not_found' });
    },
  );

  it('works for a plain agent, and not for an archived one', async () => {
    const agent = await seedAgent(desk.sql, desk.account.id);
    const client = await mcpClient(desk, { agent });
    expect((await client.output('search_tickets')).tickets).toBeInstanceOf(Array);
    await desk.client().post(`/v1/agents/${agent.id}/archive`);

    expect((await client.call('search_tickets')).status).toBe(401);
  });
});
