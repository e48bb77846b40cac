import { ScheduledRepliesService } from '#libs/tickets';
import { beforeEach, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { seedAgent, seedApplication, seedToken } from '#test/support/seed.js';
import { DraftsService } from '#libs/tickets';
import { McpClient, mcpClient } from './support/mcp-client.js';

const desk = deskForFile();

const sql = async (text: string, values: unknown[] = []) =>
  (await desk.sql.query<Record<string, unknown>>(text, values)).rows;

beforeEach(() => sql('update accounts set assistants_may_send = false, undo_send_seconds = 0'));

const allowSending = (undoSeconds = 0) =>
  sql('update accounts set assistants_may_send = true, undo_send_seconds = $1', [undoSeconds]);

const draftOf = async (number: number, agentId = desk.account.owner.id) => {
  const [draft] = await sql(
    `select d.body, d.note from drafts d join tickets t on t.id = d.ticket_id
     where t.account_id = $1 and t.number = $2 and d.agent_id = $3`,
    [desk.account.id, number, agentId],
  );
  return draft;
};

const bodiesOf = async (number: number): Promise<string[]> => {
  const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;
  return messages.map(({ body }: { body: string }) => body);
};

const revisionOf = async (number: number): Promise<number> => {
  const [draft] = await sql('select revision from drafts d join tickets t on t.id = d.ticket_id where t.number = $1', [
    number,
  ]);
  return draft!['revision'] as number;
};

/** Saves what the person types, as a page of the console does. */
const typeInConsole = (number: number, body: string, revision: number) =>
  desk.api.get(DraftsService).save(
    {
      accountId: desk.account.id,
      agentId: desk.account.owner.id,
      role: 'owner',
      applicationId: null,
      requestId: null,
    },
    number,
    { note: false, body, cc: [], removedCc: [], afterSending: '', writer: 'page-1', revision },
  );

describe('draft_reply', () => {
  it('saves the draft of the person, and sends nothing', async () => {
    const number = await ticketFromAna(desk);

    const output = await (await mcpClient(desk)).output('draft_reply', { number, body: 'Dear Ana,\n\nit works. 🎉' });

    expect(output).toEqual({
      outcome: 'drafted',
      sends_at: null,
      url: `${desk.settings.PUBLIC_URL}/tickets/${number}`,
    });
    expect(await draftOf(number)).toEqual({ body: 'Dear Ana,\n\nit works. 🎉', note: false });
    expect(await bodiesOf(number)).toEqual(['Hello']);
  });

  it('saves a draft for each person', async () => {
    const number = await ticketFromAna(desk);
    const noah = await seedAgent(desk.sql, desk.account.id);

    await (await mcpClient(desk)).output('draft_reply', { number, body: 'Of the owner' });
    await (await mcpClient(desk, { agent: noah })).output('draft_reply', { number, body: 'Of Noah' });

    expect([await draftOf(number), await draftOf(number, noah.id)]).toMatchObject([
      { body: 'Of the owner' },
      { body: 'Of Noah' },
    ]);
  });

  it('replaces its own draft', async () => {
    const number = await ticketFromAna(desk);
    const client = await mcpClient(desk);
    await client.output('draft_reply', { number, body: 'First' });

    await client.output('draft_reply', { number, body: 'Second' });

    expect(await draftOf(number)).toMatchObject({ body: 'Second' });
  });

  it('keeps a draft that the person has begun', async () => {
    const number = await ticketFromAna(desk);
    await typeInConsole(number, 'My own words', 0);

    const { error, detail } = await (await mcpClient(desk)).refusal('draft_reply', { number, body: 'Mine' });

    expect(error).toBe('draft_of_person');
    expect(detail).toContain('the person has begun a draft');
    expect(await draftOf(number)).toMatchObject({ body: 'My own words' });
  });

  it('keeps its draft once the person has changed it', async () => {
    const number = await ticketFromAna(desk);
    const client = await mcpClient(desk);
    await client.output('draft_reply', { number, body: 'First' });
    await typeInConsole(number, 'First, and better', await revisionOf(number));

    expect(await client.refusal('draft_reply', { number, body: 'Second' })).toMatchObject({ error: 'draft_of_person' });
    expect(await draftOf(number)).toMatchObject({ body: 'First, and better' });
  });

  it('replaces its draft after the person has only looked at it', async () => {
    const number = await ticketFromAna(desk);
    const client = await mcpClient(desk);
    await client.output('draft_reply', { number, body: 'First' });
    await typeInConsole(number, 'First', await revisionOf(number));

    await client.output('draft_reply', { number, body: 'Second' });

    expect(await draftOf(number)).toMatchObject({ body: 'Second' });
  });

  it('leaves one draft if two calls arrive at once', async () => {
    const number = await ticketFromAna(desk);
    const client = await mcpClient(desk);

    const answers = await Promise.all(['a', 'b', 'c'].map((body) => client.call('draft_reply', { number, body })));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(['a', 'b', 'c']).toContain((await draftOf(number))?.['body']);
  });
});

describe('sending', () => {
  it('is not possible unless the account allows it', async () => {
    const number = await ticketFromAna(desk);

    const refusal = await (await mcpClient(desk)).refusal('draft_reply', { number, body: 'Sent?', send: true });

    expect(refusal.error).toBe('sending_not_allowed');
    expect([await bodiesOf(number), await draftOf(number)]).toEqual([['Hello'], undefined]);
  });

  it('sends at once if replies do not wait, and discards its own draft', async () => {
    await allowSending();
    const number = await ticketFromAna(desk);
    const client = await mcpClient(desk);
    await client.output('draft_reply', { number, body: 'Soon' });

    const output = await client.output('draft_reply', { number, body: 'Sent.', send: true });

    expect(output).toMatchObject({ outcome: 'sent', sends_at: null });
    expect([await bodiesOf(number), await draftOf(number)]).toEqual([['Hello', 'Sent.'], undefined]);
  });

  it('waits like a reply of the console, so that the person can undo it', async () => {
    await allowSending(30);
    const number = await ticketFromAna(desk);

    const output = await (await mcpClient(desk)).output('draft_reply', { number, body: 'Sent soon.', send: true });

    expect(output).toMatchObject({ outcome: 'scheduled', sends_at: expect.any(String) });
    expect(await bodiesOf(number)).toEqual(['Hello']);
    desk.clock.advance({ seconds: 31 });
    await desk.api.get(ScheduledRepliesService).sendDue();
    expect(await bodiesOf(number)).toEqual(['Hello', 'Sent soon.']);
  });

  it.each([0, 30])('names the application on a reply that is sent after %d seconds', async (undoSeconds) => {
    await allowSending(undoSeconds);
    const number = await ticketFromAna(desk);
    const grant = { accountId: desk.account.id, agentId: desk.account.owner.id };
    const applicationId = await seedApplication(desk.sql, `Claude ${undoSeconds}`);
    const token = await seedToken(desk.sql, { ...grant, applicationId, audiences: ['mcp'] });

    await new McpClient(desk.base, token).output('draft_reply', { number, body: 'Done.', send: true });
    desk.clock.advance({ seconds: 31 });
    await desk.api.get(ScheduledRepliesService).sendDue();

    const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;
    expect(messages.at(-1)).toMatchObject({ body: 'Done.', application: { name: `Claude ${undoSeconds}` } });
    const replies = (await desk.client().get('/v1/events?event=agent_replied&per_page=50')).body.events;
    expect(replies.at(-1).cause).toMatchObject({ type: 'application', client_id: applicationId });
    expect((await desk.client(token).get('/v1/tickets')).status).toBe(401);
  });

  it('keeps the draft that the person has begun', async () => {
    await allowSending();
    const number = await ticketFromAna(desk);
    await typeInConsole(number, 'My own words', 0);

    await (await mcpClient(desk)).output('draft_reply', { number, body: 'Sent.', send: true });

    expect(await draftOf(number)).toMatchObject({ body: 'My own words' });
  });

  it.each([0, 30])('sends one reply for each key, after %d seconds', async (undoSeconds) => {
    await allowSending(undoSeconds);
    const number = await ticketFromAna(desk);
    const client = await mcpClient(desk);
    const given = { number, body: 'Once.', send: true, idempotency_key: `sent-${undoSeconds}` };

    await client.output('draft_reply', given);
    await client.output('draft_reply', given);

    const held = await sql('select from held_replies h join tickets t on t.id = h.ticket_id where t.number = $1', [
      number,
    ]);
    expect(held.length + (await bodiesOf(number)).length).toBe(2);
  });

  it('goes to the customer alone', async () => {
    await allowSending();
    const number = await ticketFromAna(desk, { cc: ['boss@client.example'] });

    await (await mcpClient(desk)).output('draft_reply', { number, body: 'Sent.', send: true });

    const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;
    expect(messages[1]).toMatchObject({ to: ['ana@client.example'], cc: [] });
  });
});
