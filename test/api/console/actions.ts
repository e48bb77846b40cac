import type { RecordKind } from '#test/support/new-records.js';

/**
 * A form of the console, sent for a new record. In every text, `$` stands for the record’s name in paths, and `$owner`
 * for the email of the account’s owner.
 */
export interface ConsoleAction {
  readonly on: RecordKind;
  readonly form?: Readonly<Record<string, string>>;
  /** The call that changes the same over REST, if there is one. */
  readonly call?: string;
  /** The same as `form` by default. */
  readonly body?: object;
  /** A statement to execute before the form is sent. */
  readonly before?: string;
}

const WEBHOOK = { url: 'https://example.com/$' };
const AGENT = { email: '$@acme.test', first_name: 'A', last_name: 'B', role: 'admin' };
const MAILBOX = { name: 'renamed $', email: '$@acme.test' };
const SAVED_REPLY = { name: '$', body: 'Thank you.', shared: 'true', tags: '', state: '', assignee: '' };
const SERVER = { host: 'mail.example.com', security: 'tls' };
const PERSON = { email: '$@client.example', first_name: 'Bo' };
const TICKET = { body: 'Hi', priority: 'high', mailbox: 'Billing' };
const TOKEN = { name: '$', 'scope[]': 'read', days: '30', proof: '$password' };
const APPLICATION = { name: '$', redirect_uri: 'https://example.com/$', 'scope[]': 'read' };
const bulk = (what: string, fields = {}) => ({ 'ticket[]': '$', do: what, ...fields });

/** By the route as its controller declares it, and what the form does if there are several. */
export const ACTIONS: Readonly<Record<string, ConsoleAction>> = {
  ...actionsOn('name', '', '/v1', {
    '/tickets': {
      form: { to: '$@client.example', first_name: 'Bo', ...TICKET },
      call: 'POST /tickets',
      body: { from: '$owner', to: PERSON, state: 'pending', ...TICKET },
    },
    '/tickets, which waits': {
      form: { to: '$@client.example', body: 'Dear Ana' },
      before: 'update accounts set undo_send_seconds = 30',
    },
    '/views': { form: { name: '$', query: 'folder=open&q=hello', for: 'me' } },
    '/customers': { form: PERSON, call: 'POST /customers' },
    '/profile': { form: { first_name: '$', last_name: 'Lind' }, call: 'PUT /agents/$owner' },
    '/profile/tokens': { form: TOKEN },
    '/settings/applications/own': { form: APPLICATION },
    '/settings/agents': { form: AGENT, call: 'POST /agents' },
    '/settings/groups': { form: { name: '$' }, call: 'POST /groups' },
    '/settings/saved-replies': {
      form: SAVED_REPLY,
      call: 'POST /saved_replies',
      body: { name: '$', body: 'Thank you.', shared: true },
    },
    '/settings/mailboxes': { form: MAILBOX, call: 'POST /mailboxes' },
    '/settings/webhooks': {
      form: { ...WEBHOOK, 'event[]': 'ticket_started' },
      call: 'POST /webhooks',
      body: { ...WEBHOOK, event: 'ticket_started' },
    },
  }),
  ...actionsOn('ticket', '/tickets/:number', '/v1/tickets/$', {
    '/messages': { form: { body: 'A reply' }, call: 'POST /messages' },
    '/messages, a note': {
      form: { body: 'A note', kind: 'note' },
      call: 'POST /messages',
      body: { body: 'A note', note: true },
    },
    '/messages, which waits': {
      form: { body: 'Dear Ana', kind: 'reply' },
      before: 'update accounts set undo_send_seconds = 30',
    },
    '/draft': { form: { body: 'Dear Ana', kind: 'reply' } },
    '/state, closed': { form: { state: 'closed' }, call: 'PUT /state' },
    '/state, opened': { form: { state: 'opened' }, call: 'PUT /state' },
    '/state, pending': { form: { state: 'pending' }, call: 'PUT /state' },
    '/state, spam': { form: { state: 'spam' }, call: 'PUT /state' },
    '/state, reopened': { on: 'closed ticket', form: { state: 'opened' }, call: 'PUT /state' },
    '/assign': {
      form: { assignee: '$owner', assigned_group: 'none' },
      call: 'PUT /assignee',
      body: { assignee: '$owner' },
    },
    '/assign, to a group': {
      form: { assignee: 'unassigned', assigned_group: 'Engineering' },
      call: 'PUT /assigned_group',
      body: { assigned_group: 'Engineering' },
    },
    '/snooze': {
      form: { until: '2050-05-01T09:00' },
      call: 'PUT /snoozed_until',
      body: { snoozed_until: '2050-05-01T09:00:00Z' },
    },
    '/wake': { on: 'snoozed ticket', call: 'PUT /snoozed_until', body: { snoozed_until: null } },
    '/priority': { form: { priority: 'urgent' }, call: 'PUT /priority' },
    '/tag': { form: { tags: 'new' }, call: 'POST /tags', body: { tags: ['new'] } },
    '/untag': { form: { tags: 'old' }, call: 'DELETE /tags/old' },
    '/move': { form: { mailbox: 'Billing' }, call: 'PUT /mailbox' },
    '/customer': { form: { email: 'new-$@client.example' } },
    '/title': { form: { title: 'Another' }, call: 'PUT /title' },
    '/title, none': { form: { title: '' }, call: 'PUT /title', body: { title: null } },
    '/delete': { call: 'DELETE ' },
    '/restore': { on: 'deleted ticket', call: 'POST /restore' },
  }),
  ...actionsOn('ticket', '/tickets/bulk', '/v1/tickets/$', {
    ', close': { form: bulk('close'), call: 'PUT /state', body: { state: 'closed' } },
    ', assign': { form: bulk('assign', { assignee: '$owner' }), call: 'PUT /assignee', body: { assignee: '$owner' } },
    ', move': { form: bulk('move', { mailbox: 'Billing' }), call: 'PUT /mailbox', body: { mailbox: 'Billing' } },
    ', tag': { form: bulk('tag', { tags: 'new' }), call: 'POST /tags', body: { tags: ['new'] } },
    ', snooze': {
      form: bulk('snooze', { until: '2050-05-01T09:00' }),
      call: 'PUT /snoozed_until',
      body: { snoozed_until: '2050-05-01T09:00:00Z' },
    },
    ', wake': {
      on: 'snoozed ticket',
      form: bulk('wake'),
      call: 'PUT /snoozed_until',
      body: { snoozed_until: null },
    },
    ', delete': { form: bulk('delete'), call: 'DELETE ' },
    ', restore': { on: 'deleted ticket', form: bulk('restore'), call: 'POST /restore' },
  }),
  ...actionsOn('customer', '/customers/:email', '/v1/customers/$', {
    '': { form: { email: '$', first_name: 'Ada' }, call: 'PATCH ', body: { first_name: 'Ada' } },
    '/delete': { call: 'DELETE ' },
  }),
  ...actionsOn('agent', '/settings/agents/:id', '/v1/agents/$', {
    '/role': { form: { role: 'admin' }, call: 'PUT ' },
    '/archive': { call: 'POST /archive' },
    '/restore': { on: 'archived agent', call: 'POST /restore' },
    '/invite': {},
  }),
  ...actionsOn('group', '/settings/groups/:id', '/v1/groups/$', {
    '': { form: { name: 'renamed $' }, call: 'PUT ', body: { name: 'renamed $', members: [] } },
    '/delete': { call: 'DELETE ' },
  }),
  ...actionsOn('saved reply', '/settings/saved-replies/:id', '/v1/saved_replies/$', {
    '': { form: SAVED_REPLY, call: 'PATCH ', body: { name: '$' } },
    '/delete': { call: 'DELETE ' },
  }),
  ...actionsOn('mailbox', '/settings/mailboxes/:id', '/v1/mailboxes/$', {
    '': { form: MAILBOX, call: 'PUT ' },
    '/smtp': { form: { ...SERVER, username: '' }, call: 'PUT /smtp', body: SERVER },
    '/smtp/delete': { on: 'mailbox with a server', call: 'DELETE /smtp' },
    '/signature': { form: { signature: 'Open from 9 to 5' }, call: 'PUT ' },
    '/sender-checks': { form: { authserv_id: 'mx.acme.test' }, call: 'PUT ' },
    '/delete': { call: 'DELETE ' },
  }),
  ...actionsOn('webhook', '/settings/webhooks/:id', '/v1/webhooks/$', {
    '': { form: { ...WEBHOOK, filter: 'tag:vip -is:spam' }, call: 'PATCH ' },
    '/state': { form: { state: 'paused' }, call: 'PATCH ' },
    '/signatures': { form: { signatures: 'v1,v1a' }, call: 'PATCH ', body: { signatures: ['v1', 'v1a'] } },
    '/test': { call: 'POST /test' },
    '/delete': { call: 'DELETE ' },
    '/secret': { call: 'GET /secret' },
    '/rotate': { call: 'POST /secret/rotate' },
    '/replay': { form: { hours: '1', which: 'failed' }, call: 'POST /replay', body: {} },
  }),
  ...actionsOn('delivery', '/settings', '/v1', {
    '/deliveries/:id/redeliver': { call: 'POST /deliveries/$/redeliver' },
    '/replays': { form: { hours: '24', which: 'failed' }, before: 'delete from replays' },
    '/webhooks/:id/replays/:replay/cancel': { on: 'replay', call: 'POST /replays/$/cancel' },
  }),
};

type Actions = Readonly<Record<string, Partial<ConsoleAction>>>;

/** The paths of the forms begin with `page`, and those of the calls with `api`. */
function actionsOn(on: RecordKind, page: string, api: string, actions: Actions): Record<string, ConsoleAction> {
  const whole = ({ call, ...action }: Partial<ConsoleAction>) => ({
    on,
    ...action,
    ...(call !== undefined && { call: call.replace(' ', ` ${api}`) }),
  });
  return Object.fromEntries(Object.entries(actions).map(([path, action]) => [`POST ${page}${path}`, whole(action)]));
}
