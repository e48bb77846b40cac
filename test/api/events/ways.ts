import type { EventKind } from '#libs/payloads';
import type { ApiResponse } from '#test/support/api-client.js';
import type { Desk } from '#test/support/desk.js';
import { addGroup, addMailbox, inviteAgent, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, newMailId, processed } from '#test/support/mails.js';

type Action = () => Promise<ApiResponse>;

/** One way to cause a kind of event over REST. `how` completes the title “goes out when …”. */
export interface Way {
  readonly how: string;
  /** Prepares the action and returns it. */
  readonly prepare: (desk: Desk) => Action | Promise<Action>;
  readonly emits: readonly EventKind[];
}

const way = (how: string, emits: readonly EventKind[], prepare: Way['prepare']): Way => ({ how, prepare, emits });

type OnTicket = (desk: Desk, path: string) => Promise<ApiResponse>;

const onTicket = (how: string, emits: readonly EventKind[], act: OnTicket, fields: Record<string, unknown> = {}): Way =>
  way(how, emits, async (desk) => {
    const { number } = await startTicket(desk, fields);
    return () => act(desk, `/v1/tickets/${number}`);
  });

/** The tickets begin with these fields. */
const merging = (how: string, emits: readonly EventKind[], gone: object, kept: object = {}): Way =>
  way(how, emits, async (desk) => {
    const from = newEmail();
    const [one, other] = [await startTicket(desk, { from, ...gone }), await startTicket(desk, { from, ...kept })];
    return () => desk.client().post(`/v1/tickets/${one.number}/merge`, { into: other.number });
  });

const put =
  (part: string, value: unknown): OnTicket =>
  (desk, path) =>
    desk.client().put(`${path}/${part}`, { [part]: value });

const say =
  (fields: Record<string, unknown>): OnTicket =>
  (desk, path) =>
    desk.client().post(`${path}/messages`, { body: 'Said <b>so</b>.', ...fields });

const handOver = (desk: Desk, headers: Readonly<Record<string, string>>): Promise<ApiResponse> =>
  desk
    .client()
    .post(`/v1/mailboxes/${desk.account.mailbox.email}/raw`, mailText(headers), { 'content-type': 'message/rfc822' });

/** Submits an email with the address of an agent, and returns the call that releases it from quarantine. */
async function held(desk: Desk, headers: Readonly<Record<string, string>>): Promise<() => Promise<ApiResponse>> {
  const { id } = (await handOver(desk, headers)).body.arrival as { id: string };
  await arrived(desk, id, 'quarantined');
  return () => desk.client().post(`/v1/arrivals/${id}/release`);
}

const arrived = (desk: Desk, id: string, state: string): Promise<unknown> =>
  eventually(async () => (await desk.client().get(`/v1/arrivals/${id}`)).body.arrival.state === state);

/** Calls that change several fields of a ticket, or several tickets. */
const CHANGES = {
  'it changes among several fields': (desk: Desk, number: number, fields: object) =>
    desk.client().patch(`/v1/tickets/${number}`, fields),
  'it changes in a batch of tickets': (desk: Desk, number: number, fields: object) =>
    desk.client().post('/v1/tickets/batch', { numbers: [number], ...fields }),
} as const;

/** The ways to cause each kind of event. A kind without one fails the test. */
export const WAYS: Readonly<Record<EventKind, readonly Way[]>> = {
  ticket_started: [
    way('a known customer writes', ['ticket_started'], async (desk) => {
      const from = newEmail();
      await desk.client().post('/v1/customers', { email: from });
      return () => desk.client().post('/v1/tickets', { body: 'Help', from, to: desk.account.mailbox.email });
    }),
    way('an agent writes to a new customer, and closes at once', ['customer_added', 'ticket_started'], (desk) => {
      const fields = { body: 'Hello', from: desk.account.owner.email, to: newEmail(), state: 'closed' };
      return () => desk.client().post('/v1/tickets', fields);
    }),
    way(
      'a new customer sends an email',
      ['customer_added', 'ticket_started'],
      (desk) => () => handOver(desk, { From: newEmail() }),
    ),
    way('a quarantined mail is released', ['customer_added', 'ticket_started'], async (desk) =>
      held(desk, { From: (await inviteAgent(desk)).email }),
    ),
  ],
  ticket_opened: [
    onTicket('the state is set', ['ticket_opened'], put('state', 'opened')),
    ...atOnce('ticket_opened', { state: 'opened' }),
    onTicket('a closed ticket is opened again', ['ticket_opened'], put('state', 'opened'), { state: 'closed' }),
    onTicket('an agent answers an unread ticket', ['agent_replied', 'ticket_opened'], say({})),
    merging('an open ticket is merged into a closed one', ['ticket_opened'], { state: 'opened' }, { state: 'closed' }),
  ],
  ticket_closed: [
    ...atOnce('ticket_closed', { state: 'closed' }),
    onTicket('the state is set', ['ticket_closed'], put('state', 'closed')),
    onTicket('a spam ticket is closed', ['ticket_closed'], put('state', 'closed'), { state: 'spam' }),
  ],
  ticket_assigned: [
    ...atOnce('ticket_assigned', async (desk) => ({
      assignee: (await inviteAgent(desk)).email,
      assigned_group: (await addGroup(desk)).name,
    })),
    way('an agent is assigned', ['ticket_assigned'], async (desk) => {
      const [{ number }, agent] = [await startTicket(desk), await inviteAgent(desk)];
      return () => desk.client().put(`/v1/tickets/${number}/assignee`, { assignee: agent.email });
    }),
    way('the assignee is removed', ['ticket_assigned'], async (desk) => {
      const { number } = await startTicket(desk, { assignee: desk.account.owner.email });
      return () => desk.client().put(`/v1/tickets/${number}/assignee`, { assignee: null });
    }),
    way('a group is assigned', ['ticket_assigned'], async (desk) => {
      const [{ number }, group] = [await startTicket(desk), await addGroup(desk)];
      return () => desk.client().put(`/v1/tickets/${number}/assigned_group`, { assigned_group: group.id });
    }),
    way('the group is removed', ['ticket_assigned'], async (desk) => {
      const { number } = await startTicket(desk, { assigned_group: (await addGroup(desk)).name });
      return () => desk.client().put(`/v1/tickets/${number}/assigned_group`, { assigned_group: null });
    }),
  ],
  ticket_priority_changed: [
    ...atOnce('ticket_priority_changed', { priority: 'high' }),
    onTicket('the priority is set', ['ticket_priority_changed'], put('priority', 'urgent')),
    onTicket('the priority is removed', ['ticket_priority_changed'], put('priority', null), { priority: 'low' }),
  ],
  ticket_deleted: [onTicket('a ticket is deleted', ['ticket_deleted'], (desk, path) => desk.client().delete(path))],
  ticket_tagged: [
    ...atOnce('ticket_tagged', { tags: ['a'] }),
    onTicket('tags are added', ['ticket_tagged'], (desk, path) => desk.client().post(`${path}/tags`, { tags: ['a'] })),
    merging('a ticket with a tag is merged into another', ['ticket_tagged'], { tags: ['a'] }),
    onTicket('tags are replaced', ['ticket_tagged'], put('tags', ['b']), { tags: ['a'] }),
    onTicket('a tag is removed', ['ticket_tagged'], (desk, path) => desk.client().delete(`${path}/tags/a`), {
      tags: ['a', 'b'],
    }),
  ],
  ticket_moved: [
    ...atOnce('ticket_moved', async (desk) => ({ mailbox: (await addMailbox(desk)).name })),
    way('the mailbox is set by name', ['ticket_moved'], async (desk) => {
      const [{ number }, mailbox] = [await startTicket(desk), await addMailbox(desk)];
      return () => desk.client().put(`/v1/tickets/${number}/mailbox`, { mailbox: mailbox.name });
    }),
    way('the mailbox is set by id', ['ticket_moved'], async (desk) => {
      const [{ number }, mailbox] = [await startTicket(desk), await addMailbox(desk)];
      return () => desk.client().post(`/v1/tickets/${number}/change_mailbox/${mailbox.id}`);
    }),
  ],
  customer_replied: [
    way('the ticket’s customer answers', ['customer_replied'], async (desk) => {
      const author = newEmail();
      const { number } = await startTicket(desk, { from: author, state: 'closed' });
      return () => desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Still broken', author });
    }),
    onTicket('a new customer answers', ['customer_added', 'customer_replied'], say({ author: newEmail('somebody') })),
    way('the customer answers by mail', ['customer_replied'], async (desk) => {
      const [From, first] = [newEmail(), newMailId()];
      await processed(desk, mailText({ From, 'Message-ID': first }));
      return () => handOver(desk, { From, 'In-Reply-To': first });
    }),
    way('a quarantined answer is released', ['customer_replied'], async (desk) => {
      const [{ email: From }, first] = [await inviteAgent(desk), newMailId()];
      const takeIn = await held(desk, { From, 'Message-ID': first });
      await arrived(desk, (await takeIn()).body.arrival.id, 'processed');
      return held(desk, { From, 'In-Reply-To': first });
    }),
  ],
  customer_added: [
    way('a customer is added', ['customer_added'], (desk) => {
      const fields = { email: newEmail(), first_name: 'Ana', custom: { plan: 'pro', seats: 3, vip: true, none: null } };
      return () => desk.client().post('/v1/customers', fields);
    }),
    way('a new customer writes', ['customer_added', 'ticket_started'], (desk) => {
      const fields = { body: 'Hi', from: { email: newEmail(), last_name: 'Ruiz' }, to: desk.account.mailbox.email };
      return () => desk.client().post('/v1/tickets', fields);
    }),
  ],
  agent_invited: [
    way(
      'an agent is invited',
      ['agent_invited'],
      (desk) => () => desk.client().post('/v1/agents', { email: newEmail('agent'), role: 'admin' }),
    ),
  ],
  agent_archived: [
    way('an agent is archived', ['agent_archived'], async (desk) => {
      const agent = await inviteAgent(desk);
      return () => desk.client().post(`/v1/agents/${agent.email}/archive`);
    }),
  ],
  note_added: [onTicket('an agent adds a note, which opens nothing', ['note_added'], say({ note: true }))],
  agent_replied: [
    onTicket('an agent answers an open ticket', ['agent_replied'], say({}), { state: 'opened' }),
    onTicket('an agent answers a closed ticket, which stays closed', ['agent_replied'], say({}), { state: 'closed' }),
  ],
};

/** `fields` are those of the change, or a function that makes what they refer to. */
function atOnce(kind: EventKind, fields: object | ((desk: Desk) => Promise<object>)): Way[] {
  return Object.entries(CHANGES).map(([how, change]) =>
    way(how, [kind], async (desk) => {
      const { number } = await startTicket(desk);
      const wanted = typeof fields === 'function' ? await fields(desk) : fields;
      return () => change(desk, number, wanted);
    }),
  );
}
