import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addGroup, addMailbox, startTicket } from '#test/support/desk-records.js';
import type { ReceivedRequest, Receiver } from '#test/support/receiver.js';

const desk = deskForFile();
const LABELS = new Map<number, string>();

beforeAll(async () => {
  await desk.worker();
});

const register = async (receiver: Receiver, name: string, event: string, filter: string | null) => {
  const url = receiver.url + encodeURIComponent(name);
  const { status, body, text } = await desk.client().post('/v1/webhooks', { event, url, filter });
  if (status !== 201) throw new Error(text);
  return body.webhook.id as string;
};

const ticketOf = ({ json }: ReceivedRequest): number =>
  typeof json['number'] === 'number' ? json['number'] : Number(/\d+$/.exec(json['app_ticket_url'] as string)![0]);

/** `filter event ticket` of each request. */
const arrived = (receiver: Receiver): string[] =>
  receiver.requests
    .map((request) => {
      const name = decodeURIComponent(request.path.slice(1));
      return `${name} ${String(request.headers['webhook-event'])} ${LABELS.get(ticketOf(request)) ?? '?'}`;
    })
    .toSorted();

const start = async (label: string, fields: object) => {
  const { number } = await startTicket(desk, { ...fields });
  LABELS.set(number, label);
  return number as number;
};
const note = (number: number) => desk.client().post(`/v1/tickets/${number}/messages`, { body: 'x', note: true });

describe('a filtered webhook', () => {
  it('receives the events of tickets and of their messages that match', async () => {
    const receiver = await desk.receiver();
    await addGroup(desk, { name: 'Billing' });
    await addMailbox(desk, { name: 'Second desk', email: 'second@acme.test' });
    const assignee = desk.account.owner.email;
    const special = { tags: ['VIP', 'عاجل', '緊急 対応'], priority: 'high', mailbox: 'Second desk', assignee };
    const expected = {
      'tag:vip': 'special',
      'tag:عاجل': 'special',
      'tag:"緊急 対応"': 'special',
      '-tag:vip': 'plain',
      'mailbox:"second DESK"': 'special',
      'priority:high': 'special',
      'priority:none': 'plain',
      [`assignee:${assignee}`]: 'special',
      'assignee:none': 'plain',
      'group:billing': 'special',
      '-group:billing -priority:urgent': 'plain',
      'state:unread tag:vip': 'special',
    };
    for (const filter of Object.keys(expected))
      for (const event of ['ticket_started', 'note_added']) await register(receiver, filter, event, filter);
    await register(receiver, 'all', 'ticket_closed', null);
    await register(receiver, 'never', 'note_added', 'tag:vip -tag:vip');

    await note(await start('special', { ...special, assigned_group: 'Billing' }));
    const plain = await start('plain', {});
    await note(plain);
    const wanted = Object.entries(expected).flatMap(([filter, label]) =>
      ['note_added', 'ticket_started'].map((event) => `${filter} ${event} ${label}`),
    );
    await receiver.received(wanted.length);
    await desk.client().put(`/v1/tickets/${plain}/state`, { state: 'closed' });
    await receiver.received(wanted.length + 1);

    expect(arrived(receiver)).toEqual([...wanted, 'all ticket_closed plain'].toSorted());
  });

  it('is decided about the ticket after the change', async () => {
    const receiver = await desk.receiver();
    await register(receiver, 'reopened', 'customer_replied', 'is:unread');
    await register(receiver, 'answered', 'agent_replied', 'is:opened');
    await register(receiver, 'closed', 'ticket_closed', 'is:closed');
    await register(receiver, 'open', 'ticket_closed', '-is:closed');
    await register(receiver, 'tagged', 'ticket_tagged', 'tag:new -tag:old');
    await register(receiver, 'unassigned', 'ticket_assigned', 'assignee:none');
    await register(receiver, 'gone', 'ticket_deleted', 'tag:new');
    const number = await start('it', { tags: ['old'], from: 'ana@client.test', assignee: desk.account.owner.email });
    const path = `/v1/tickets/${number}`;

    await desk.client().post(`${path}/messages`, { body: 'Dear Ana' });
    await desk.client().put(`${path}/state`, { state: 'closed' });
    await desk.client().post(`${path}/messages`, { body: 'Still broken', author: 'ana@client.test' });
    await desk.client().put(`${path}/tags`, { tags: ['new'] });
    await desk.client().put(`${path}/assignee`, { assignee: null });
    await desk.client().delete(path);

    const events = [
      'answered agent_replied it',
      'closed ticket_closed it',
      'gone ticket_deleted it',
      'reopened customer_replied it',
      'tagged ticket_tagged it',
      'unassigned ticket_assigned it',
    ];
    await receiver.received(events.length);
    expect(arrived(receiver)).toEqual(events);
  });

  it('follows a change of its filter from the next event on, and gets test events whatever it is', async () => {
    const receiver = await desk.receiver();
    const id = await register(receiver, 'one', 'ticket_priority_changed', 'priority:high');
    const change = (filter: string | null) => desk.client().patch(`/v1/webhooks/${id}`, { filter });
    const raise = async (label: string, priority: string) => {
      const number = await start(label, {});
      await desk.client().put(`/v1/tickets/${number}/priority`, { priority });
    };

    await raise('first', 'high');
    await raise('unseen', 'low');
    await change('priority:low');
    await raise('unseen', 'high');
    await raise('second', 'low');
    await change(null);
    await raise('third', 'urgent');
    await change('tag:never');
    await raise('unseen', 'low');
    await desk.client().post(`/v1/webhooks/${id}/test`);
    await receiver.received(4);

    const event = 'one ticket_priority_changed';
    expect(arrived(receiver)).toEqual([`${event} ?`, `${event} first`, `${event} second`, `${event} third`]);
  });

  it('receives exactly its part of a burst of 2,000 events', { tags: ['long'], timeout: 120_000 }, async () => {
    const receiver = await desk.receiver();
    const numbers: number[] = [];
    for (let place = 0; place < 20; place++)
      numbers.push(await start('burst', { tags: place % 4 === 0 ? ['burst', 'Loud'] : ['burst'] }));
    await register(receiver, 'loud', 'note_added', 'tag:burst tag:loud');
    const loud = new Set<string>();
    const write = async (place: number) => {
      for (let turn = 0; turn < 100; turn++) {
        const { body } = await note(numbers[place]!);
        if (place % 4 === 0) loud.add(body.message.id as string);
      }
    };

    await Promise.all(numbers.map((_, place) => write(place)));
    await receiver.received(500, { withinMs: 60_000 });
    const last = (await note(numbers[0]!)).body.message.id as string;
    await receiver.received(501);

    const ids = receiver.requests.map(({ json }) => json['id'] as string);
    expect(loud.size).toBe(500);
    expect(new Set(ids)).toEqual(new Set([...loud, last]));
  });
});
