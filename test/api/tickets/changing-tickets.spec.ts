import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addGroup, addMailbox, startTicket } from '#test/support/desk-records.js';
import { eventKindsEmittedBy } from '#test/support/emitted-events.js';
import { operationsOf } from '#test/support/openapi-operations.js';

const desk = deskForFile();

const patch = (number: number, fields: object, headers?: Record<string, string>) =>
  desk.client().patch(`/v1/tickets/${number}`, fields, headers);
const batch = (fields: object) => desk.client().post('/v1/tickets/batch', fields);

describe('PATCH of a ticket', () => {
  it('changes several fields at once, with an event for each kind of change', async () => {
    const { number } = await startTicket(desk);
    const [group, mailbox] = [await addGroup(desk), await addMailbox(desk)];
    const owner = desk.account.owner.email;
    const wanted = { state: 'closed', priority: 'high', tags: 'a,b', assignee: owner, group: group.name, title: 'New' };

    let status = 0;
    const kinds = await eventKindsEmittedBy(desk, async () => {
      ({ status } = await patch(number, { ...wanted, mailbox: mailbox.name }));
    });
    const { ticket } = (await desk.client().get(`/v1/tickets/${number}`)).body;

    expect(status).toBe(200);
    expect(ticket).toMatchObject({
      state: 'closed',
      closed_by: owner,
      priority: 'high',
      tags: ['a', 'b'],
      assignee: owner,
      assigned_group: group.name,
      mailbox: mailbox.name,
      title: 'New',
    });
    expect(kinds).toEqual([
      'ticket_closed',
      'ticket_assigned',
      'ticket_priority_changed',
      'ticket_tagged',
      'ticket_moved',
    ]);
  });

  it('changes each field that it takes', async () => {
    const operations = operationsOf((await desk.anonymous().get('/openapi.json')).body);
    const { body } = operations.find(({ name }) => name === 'PATCH /v1/tickets/{number}')!;
    const [group, mailbox] = [await addGroup(desk), await addMailbox(desk)];
    const values = {
      state: 'pending',
      priority: 'high',
      tags: ['vip'],
      assignee: desk.account.owner.email,
      assigned_group: group.name,
      mailbox: mailbox.name,
      title: 'New',
      snoozed_until: '2050-05-01T09:00:00.000Z',
      external_id: 'crm-1',
      custom: { plan: 'business' },
    };

    expect([...Object.keys(values), 'group', 'subject'].toSorted()).toEqual(Object.keys(body!.properties!).toSorted());
    for (const [field, value] of Object.entries(values)) {
      const { number } = await startTicket(desk);
      expect((await patch(number, { [field]: value })).body.ticket).toMatchObject({ [field]: value });
    }
  });

  it('clears fields that are null, and keeps absent ones', async () => {
    const { number } = await startTicket(desk, {
      priority: 'high',
      subject: 'Old',
      assignee: desk.account.owner.email,
    });
    const { body } = await patch(number, { priority: null, title: null });
    expect(body.ticket).toMatchObject({ priority: null, title: null, assignee: desk.account.owner.email });
  });

  it('stores an empty title as null, like POST and PUT', async () => {
    const started = await startTicket(desk, { subject: '' });
    const { number } = await startTicket(desk, { subject: 'Old' });
    const patched = await patch(number, { title: '' });
    await patch(number, { title: 'Old' });
    const put = await desk.client().put(`/v1/tickets/${number}/title`, { title: '' });

    expect([started.title, patched.body.ticket.title, put.status]).toEqual([null, null, 200]);
    expect((await desk.client().get(`/v1/tickets/${number}`)).body.ticket.title).toBeNull();
  });

  it('changes all fields or none', async () => {
    const { number } = await startTicket(desk);
    const kinds = await eventKindsEmittedBy(desk, async () => {
      const { status, body } = await patch(number, { state: 'closed', priority: 'high', mailbox: 'Nowhere' });
      expect([status, body.errors[0].code]).toEqual([422, 'unknown_mailbox']);
    });
    expect(kinds).toEqual([]);
    expect((await desk.client().get(`/v1/tickets/${number}`)).body.ticket).toMatchObject({
      state: 'unread',
      priority: null,
    });
  });

  it('accepts the form values that stand for null', async () => {
    const { number } = await startTicket(desk);
    await desk.client().post('/v1/groups', { name: 'Emptied' });
    await patch(number, { assignee: desk.account.owner.email, priority: 'high', assigned_group: 'Emptied' });

    const { status, body } = await desk
      .client()
      .patch(`/v1/tickets/${number}`, 'assignee=unassigned&priority=none&assigned_group=none', {
        'content-type': 'application/x-www-form-urlencoded',
      });

    expect([status, body.ticket]).toMatchObject([200, { assignee: null, priority: null, assigned_group: null }]);
  });

  it('returns the ETag of the new version, which guards the next change', async () => {
    const { number } = await startTicket(desk);
    const written = await patch(number, { priority: 'low' });
    const etag = written.headers.get('etag') ?? '';

    expect((await desk.client().get(`/v1/tickets/${number}`)).headers.get('etag')).toBe(etag);
    expect((await patch(number, { priority: 'high' }, { 'if-match': etag })).status).toBe(200);
    expect((await patch(number, { priority: 'low' }, { 'if-match': etag })).status).toBe(412);
  });
});

describe('a batch of tickets', () => {
  it('changes each ticket separately, and reports each result', async () => {
    const [one, other] = [await startTicket(desk), await startTicket(desk)];
    const { status, body } = await batch({
      numbers: [one.number, 9_999_999, other.number, one.number],
      state: 'closed',
    });

    expect(status).toBe(200);
    expect(body.results.map((result: { number: number; status: number }) => [result.number, result.status])).toEqual([
      [one.number, 200],
      [9_999_999, 404],
      [other.number, 200],
    ]);
    expect(body.results[0].ticket.state).toBe('closed');
    expect(body.results[1].error).toBe('ticket_not_found');
  });
});

describe('the API', () => {
  it('returns the account of the token', async () => {
    const { body } = await desk.client().get('/v1/me');
    expect(body.account).toEqual({ id: desk.account.id, name: expect.any(String) });
    expect(body.agent.email).toBe(desk.account.owner.email);
  });

  it('lists the methods of a path', async () => {
    const { number } = await startTicket(desk);
    const answer = await fetch(`${desk.base}/v1/tickets/${number}`, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'DELETE, GET, HEAD, PATCH, OPTIONS']);
    expect((await fetch(`${desk.base}/v1/nothing`, { method: 'OPTIONS' })).status).toBe(404);
  });

  it('compresses responses', async () => {
    await startTicket(desk, { body: 'long '.repeat(500) });
    const ask = (encoding: string) =>
      fetch(`${desk.base}/v1/tickets`, {
        headers: { authorization: `Bearer ${desk.account.owner.token}`, 'accept-encoding': encoding },
      });
    const [small, plain] = [await ask('br, gzip;q=0.5'), await ask('gzip;q=0, identity')];

    expect([small.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
    expect(small.headers.get('vary')).toContain('accept-encoding');
    expect(await small.text()).toBe(await plain.text());
  });
});
