import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';

const desk = deskForFile();

const ticket = () => ({
  body: 'I cannot sign in.',
  from: 'ana@client.test',
  to: desk.account.mailbox.email,
  subject: 'Help',
});

describe('POST /v1/tickets', () => {
  it('returns the record with its fields in the order of the specification', async () => {
    const { status, body, headers } = await desk.client().post('/v1/tickets', ticket());

    expect(status).toBe(201);
    expect(headers.get('location')).toBe(body.ticket.href);
    expect(Object.keys(body.ticket).slice(0, 11)).toEqual([
      'assigned_group',
      'assignee',
      'created_at',
      'updated_at',
      'number',
      'priority',
      'resolution_time',
      'title',
      'href',
      'closed_by',
      'links',
    ]);
    expect(body.ticket).toMatchObject({
      title: 'Help',
      state: 'unread',
      mailbox: 'Support',
      summary: 'I cannot sign in.',
    });
  });

  it('accepts a form like JSON', async () => {
    const form = `body=Hi&from[email]=bo%40client.test&from[first_name]=Bo&to=${desk.account.mailbox.email}&tags[]=a&tags[]=b&subject=`;
    const { status, body } = await desk
      .client()
      .post('/v1/tickets', form, { 'content-type': 'application/x-www-form-urlencoded' });

    expect(status).toBe(201);
    expect(body.ticket).toMatchObject({ customer_name: 'Bo', tags: ['a', 'b'], title: null });
  });

  it('reports every fault at once', async () => {
    const { status, body, headers } = await desk.client().post('/v1/tickets', { from: 'nobody', priority: 'huge' });

    expect(status).toBe(422);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(body.errors.map((fault: { field: string }) => fault.field).sort()).toEqual([
      'body',
      'from.email',
      'priority',
      'to',
    ]);
  });

  it('refuses malformed JSON, a missing token and a wrong token', async () => {
    expect((await desk.client().post('/v1/tickets', '{"body":')).status).toBe(400);
    expect((await desk.anonymous().post('/v1/tickets', ticket())).status).toBe(401);
    expect((await desk.client('wrong').post('/v1/tickets', ticket())).status).toBe(401);
  });
});

describe('GET /v1/tickets/:number', () => {
  it('returns the created ticket', async () => {
    const created = (await desk.client().post('/v1/tickets', ticket())).body.ticket;

    const read = await desk.client().get(`/v1/tickets/${created.number}`);

    expect(read.body.ticket).toEqual(created);
  });

  it.each(['999999', '0', '-1', '1e3', 'abc', '99999999999', '%00'])('returns 404 for ticket %s', async (number) => {
    const { status, body } = await desk.client().get(`/v1/tickets/${number}`);

    expect(status).toBe(404);
    expect(body.error).toBe('ticket_not_found');
  });
});

describe('POST /v1/webhooks', () => {
  it('returns 201 with event, url and state first, and the secret', async () => {
    const { status, body } = await desk
      .client()
      .post('/v1/webhooks', { event: 'ticket_started', url: 'https://example.com/hook' });

    expect(status).toBe(201);
    expect(Object.keys(body.webhook).slice(0, 3)).toEqual(['event', 'url', 'state']);
    expect(body.webhook).toMatchObject({
      event: 'ticket_started',
      state: 'active',
      secret: expect.stringMatching(/^whsec_/),
    });
  });

  it('refuses an unknown kind of event and an invalid URL', async () => {
    const unknown = await desk.client().post('/v1/webhooks', { event: 'ticket_exploded', url: 'https://example.com' });
    const wrong = await desk.client().post('/v1/webhooks', { event: 'ticket_started', url: 'ftp://example.com' });

    expect(unknown.body.errors[0]).toMatchObject({ field: 'event', code: 'unknown_event_kind' });
    expect(wrong.body.errors[0]).toMatchObject({ field: 'url', code: 'url_scheme' });
  });
});

describe('DELETE /v1/webhooks/:id', () => {
  it('returns 204 without a body, and 404 the second time', async () => {
    const { id } = await desk.webhook('ticket_started', 'https://example.com/removed');

    const first = await desk.client().delete(`/v1/webhooks/${id}`);
    const second = await desk.client().delete(`/v1/webhooks/${id}`);

    expect([first.status, first.text]).toEqual([204, '']);
    expect(second.status).toBe(404);
  });
});
