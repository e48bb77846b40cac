import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addGroup, addMailbox, inviteAgent, startTicket } from '#test/support/desk-records.js';
import { eventsEmittedBy, eventKindsEmittedBy } from '#test/support/emitted-events.js';

const desk = deskForFile();

const put = async (number: number, part: string, body: unknown) =>
  desk.client().put(`/v1/tickets/${number}/${part}`, body);
const read = async (number: number) => (await desk.client().get(`/v1/tickets/${number}`)).body.ticket;

describe('the state of a ticket', () => {
  it('can change between any two values, and emits the events that exist for it', async () => {
    const { number } = await startTicket(desk);
    const states = ['opened', 'pending', 'closed', 'spam', 'unread'];

    const kinds = await eventKindsEmittedBy(desk, async () => {
      for (const state of states) expect((await put(number, 'state', { state })).body).toEqual({ state });
    });

    expect(kinds).toEqual(['ticket_opened', 'ticket_closed']);
  });

  it('records who closed the ticket and how long it took, until it is reopened', async () => {
    const { number } = await startTicket(desk);
    desk.clock.advance({ minutes: 5 });

    await put(number, 'state', { state: 'closed' });
    const closed = await read(number);
    await put(number, 'state', { state: 'opened' });
    const opened = await read(number);

    expect(closed).toMatchObject({ closed_by: desk.account.owner.email });
    expect(closed.resolution_time).toBeGreaterThanOrEqual(300);
    expect(opened).toMatchObject({ closed_by: null, resolution_time: null });
  });
});

describe('a wrong value', () => {
  it.each(['999999', 'x', '99999999999'])('returns 422 before 404 for ticket %s', async (number) => {
    const wrong = await desk.client().put(`/v1/tickets/${number}/priority`, { priority: 'x' });
    const right = await desk.client().put(`/v1/tickets/${number}/priority`, { priority: 'high' });

    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ field: 'priority' }] } });
    expect(right).toMatchObject({ status: 404, body: { error: 'ticket_not_found' } });
  });
});

describe('a change without a difference', () => {
  it('emits no event and keeps the ticket unchanged', async () => {
    const agent = await inviteAgent(desk);
    const ticket = await startTicket(desk, { assignee: agent.email, tags: ['a', 'b'], priority: 'low', subject: 'T' });
    const same = {
      state: { state: 'unread' },
      assignee: { assignee: agent.id },
      assigned_group: { assigned_group: null },
      priority: { priority: 'low' },
      tags: { tags: ['B', 'a'] },
      mailbox: { mailbox: ticket.mailbox },
      title: { title: 'T' },
    };

    const kinds = await eventKindsEmittedBy(desk, async () => {
      for (const [part, body] of Object.entries(same)) expect((await put(ticket.number, part, body)).status).toBe(200);
    });

    expect(kinds).toEqual([]);
    expect(await read(ticket.number)).toEqual(ticket);
  });
});

describe('the assignment of a ticket', () => {
  it('returns the agent or null, for which `unassigned` stands in a form, and links to the agent', async () => {
    const agent = await inviteAgent(desk);
    const { number } = await startTicket(desk);

    const assigned = await put(number, 'assignee', { assignee: agent.email.toUpperCase() });
    const between = await read(number);
    const unassigned = await put(number, 'assignee', { assignee: null });

    expect(assigned.body).toEqual({ agent });
    expect(between.links.assignee.href).toBe(agent.href);
    expect(unassigned.body).toEqual({ agent: null });
    await put(number, 'assignee', { assignee: agent.email });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await desk.client().put(`/v1/tickets/${number}/assignee`, 'assignee=unassigned', form);
    expect((await desk.client().get(`/v1/tickets/${number}/assignee`)).body).toEqual({ agent: null });
  });

  it('refuses an archived, unknown or missing agent', async () => {
    const agent = await inviteAgent(desk);
    const { number } = await startTicket(desk);
    await desk.client().post(`/v1/agents/${agent.email}/archive`);

    expect((await put(number, 'assignee', { assignee: agent.email })).body.errors[0].code).toBe('agent_archived');
    expect((await put(number, 'assignee', { assignee: 'who@acme.test' })).body.errors[0].code).toBe('unknown_assignee');
    expect((await put(number, 'assignee', {})).status).toBe(422);
  });

  it('returns the group, and emits the same kind of event', async () => {
    const group = await addGroup(desk);
    const { number } = await startTicket(desk);

    const happened = await eventsEmittedBy(desk, () => put(number, 'assigned_group', { assigned_group: group.name }));

    expect(happened).toEqual([{ kind: 'ticket_assigned', payload: await read(number) }]);
    expect((await desk.client().get(`/v1/tickets/${number}/assigned_group`)).body).toEqual({ group });
  });
});

describe('the tags of a ticket', () => {
  it('can be added, replaced and removed one by one', async () => {
    const { number } = await startTicket(desk, { tags: ['one'] });
    const path = `/v1/tickets/${number}/tags`;

    expect((await desk.client().post(path, { tags: ['two', 'One'] })).body).toEqual({ tags: ['one', 'two'] });
    expect((await desk.client().delete(`${path}/ONE`)).body).toEqual({ tags: ['two'] });
    expect((await desk.client().put(path, { tags: [] })).body).toEqual({ tags: [] });
    expect(
      (await desk.client().post(path, 'tags[]=a/b&tags[]=c', { 'content-type': 'application/x-www-form-urlencoded' }))
        .body,
    ).toEqual({ tags: ['a/b', 'c'] });
    expect((await desk.client().delete(`${path}/a%2Fb`)).body).toEqual({ tags: ['c'] });
  });

  it('cannot exceed fifty', async () => {
    const tags = Array.from({ length: 50 }, (_, place) => `tag${place}`);
    const { number } = await startTicket(desk, { tags });

    const { status, body } = await desk.client().post(`/v1/tickets/${number}/tags`, { tags: ['more'] });

    expect([status, body.errors[0].code]).toEqual([422, 'too_many_tags']);
  });
});

describe('a move to another mailbox', () => {
  it('works by name, email or id, on both paths', async () => {
    const [first, second] = [await addMailbox(desk), await addMailbox(desk)];
    const { number } = await startTicket(desk);

    const kinds = await eventKindsEmittedBy(desk, async () => {
      expect((await put(number, 'mailbox', { mailbox: first.name })).body).toEqual({ mailbox: first });
      expect((await put(number, 'mailbox', { mailbox: second.email })).body).toEqual({ mailbox: second });
      const changed = await desk.client().post(`/v1/tickets/${number}/change_mailbox/${first.id}`);
      expect(changed.body.ticket.mailbox).toBe(first.name);
    });

    expect(kinds).toEqual(['ticket_moved', 'ticket_moved', 'ticket_moved']);
  });

  it('returns 404 when the path names no mailbox', async () => {
    const { number } = await startTicket(desk);
    const nowhere = '01a1fa74-dcf5-70dd-aeca-000000000000';

    const changed = await desk.client().post(`/v1/tickets/${number}/change_mailbox/${nowhere}`);
    const named = await put(number, 'mailbox', { mailbox: nowhere });

    expect([changed.status, changed.body.error]).toEqual([404, 'mailbox_not_found']);
    expect([named.status, named.body.errors[0].code]).toEqual([422, 'unknown_mailbox']);
  });
});

describe('the If-Match header', () => {
  it('comes after the other checks, so that 404 and 422 win over 412', async () => {
    const { number } = await startTicket(desk);
    const statusOf = async (path: string, body: object) =>
      (await desk.client().put(`/v1/tickets/${path}`, body, { 'if-match': '"of-before"' })).status;

    expect(await statusOf(`${number}/assignee`, { assignee: 'nobody@acme.test' })).toBe(422);
    expect(await statusOf(`${number}/mailbox`, { mailbox: 'none such' })).toBe(422);
    expect(await statusOf('9999999/assignee', { assignee: desk.account.owner.email })).toBe(404);
    expect(await statusOf(`${number}/assignee`, { assignee: desk.account.owner.email })).toBe(412);
    expect((await desk.client().get(`/v1/tickets/${number}/assignee`)).body.agent).toBeNull();

    await desk.client().post('/v1/groups', { name: 'Guarded' });
    const members = { members: ['nobody@acme.test'] };
    const group = await desk.client().put('/v1/groups/Guarded', members, { 'if-match': '"of-before"' });
    expect([group.status, group.body.errors[0].code]).toEqual([422, 'unknown_agent']);
  });

  it('accepts the ETag of a sub-resource as well', async () => {
    const { number } = await startTicket(desk);
    const path = `/v1/tickets/${number}/priority`;
    const tag = (await desk.client().get(path)).headers.get('etag')!;
    await put(number, 'state', { state: 'opened' });

    const answers = [
      await desk.client().put(path, { priority: 'low' }, { 'if-match': tag }),
      await desk.client().put(path, { priority: 'high' }, { 'if-match': tag }),
    ];

    expect(answers.map(({ status, body }) => body.error ?? status)).toEqual([200, 'precondition_failed']);
    expect((await desk.client().put(path, { priority: 'high' }, { 'if-match': '*' })).status).toBe(200);
  });

  it('lets one of twenty simultaneous requests win', async () => {
    const { number } = await startTicket(desk);
    const path = `/v1/tickets/${number}`;
    const tag = (await desk.client().get(path)).headers.get('etag')!;

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        desk.client().put(`${path}/title`, { title: `t${place}` }, { 'if-match': tag }),
      ),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
  });
});
