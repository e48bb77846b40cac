import { TWO_FACTOR_REQUIREMENTS } from '#libs/entities';
import { EVENT_KINDS, type JsonSchema } from '#libs/payloads';
import type { Parameter } from '#test/support/openapi-operations.js';
import { codeAt } from '#test/support/authenticator.js';
import type { RequestPlan } from './request-plan.js';
import { rightValue } from './values.js';
import { PASSWORD, type World } from './world.js';

type FormField = JsonSchema | ((plan: RequestPlan) => unknown);
type FormSchema = Readonly<Record<string, FormField>>;

const text: JsonSchema = {};
const choice = (...values: (string | number)[]): JsonSchema => ({ enum: values });
const integers: JsonSchema = { type: 'array', items: { type: 'integer' } };

const CUSTOMER: FormSchema = { email: text, first_name: text, last_name: text, title: text, website_url: text };
const CC: FormSchema = { cc: text, cc_offered: text, more_cc: text };
const DRAFT: FormSchema = { draft_revision: { type: 'integer' }, writer: text, draft_file: text, permit: text };
const GROUP: FormSchema = { name: text, agent: text };
const MAILBOX: FormSchema = { name: text, email: { format: 'email' }, replies_by_mail: choice('true', 'false') };
const PRIORITY = choice('low', 'medium', 'high', 'urgent', 'none');
const ROLE = choice('admin', 'agent');
const TIME_ZONE = choice('Europe/Berlin', 'UTC', '+01:00', 'Mars/Olympus', '');
const YES = choice('yes', '');
const staffEmail = ({ choices, world }: RequestPlan): string => choices.pick(world.staffEmails);

/** Picks by turn, the same for the cookies and the fields of one request. */
export const turnOf = <Kind extends 'settingUpCodes' | 'codeHolders' | 'challenged'>(
  { world, index }: RequestPlan,
  kind: Kind,
): World[Kind][number] => world[kind][index % world[kind].length]!;

const proofOf = (plan: RequestPlan): string =>
  plan.choices.isLikely(0.5) ? PASSWORD : codeAt(turnOf(plan, 'codeHolders').key, new Date());

/** The fields of each form. A form that is not listed gets some of all fields. */
const FORMS: Readonly<Record<string, FormSchema>> = {
  'POST /tickets': {
    to: text,
    cc: text,
    body: text,
    first_name: text,
    subject: text,
    mailbox: text,
    priority: PRIORITY,
    note: YES,
  },
  'POST /tickets/bulk': {
    ticket: integers,
    tickets: text,
    do: choice('close', 'delete', 'restore', 'assign', 'move', 'tag', 'spam', 'reopen', 'priority'),
    priority: PRIORITY,
    assignee: text,
    mailbox: text,
    tags: text,
  },
  'POST /tickets/:number/messages': {
    body: text,
    kind: choice('note', 'reply'),
    close: YES,
    after: choice('stay', 'next', 'back'),
    next: { type: 'integer' },
    seen: { type: 'integer' },
    ...DRAFT,
    ...CC,
  },
  'POST /tickets/:number/draft': {
    body: text,
    kind: choice('note', 'reply'),
    remove_file: text,
    quiet: YES,
    ...DRAFT,
    ...CC,
  },
  'POST /tickets/undo': {
    kept: { format: 'uuid' },
  },
  'POST /tickets/:number/replies/:id/undo': {},
  'POST /tickets/:number/messages/:id/send-again': {},
  'POST /settings/outgoing-mail/:id/answer': { text },
  'POST /views': { name: text, query: () => 'folder=open&q=hello', for: choice('me', 'everybody') },
  'POST /views/:id': { name: text, place: { type: 'integer' } },
  'POST /settings/replies': { seconds: choice(0, 5, 10, 30) },
  'POST /settings/time': { time_zone: TIME_ZONE },
  'POST /profile/time-zone': { time_zone: TIME_ZONE },
  'POST /tickets/:number/snooze': { until: choice('hours', 'tomorrow', 'monday', '2050-05-01T09:00') },
  'POST /tickets/:number/wake': {},
  'POST /tickets/:number/state': { state: choice('opened', 'pending', 'closed', 'spam') },
  'POST /tickets/:number/assign': { assignee: text, assigned_group: text },
  'POST /tickets/:number/priority': { priority: PRIORITY },
  'POST /tickets/:number/tag': { tags: text },
  'POST /tickets/:number/untag': { tags: text },
  'POST /tickets/:number/move': { mailbox: text },
  'POST /tickets/:number/title': { title: text },
  'POST /customers': CUSTOMER,
  'POST /customers/:email': CUSTOMER,
  'POST /profile/signature': { signature: text },
  'POST /profile': { first_name: text, last_name: text },
  'POST /profile/notices': { replies: choice('on', '') },
  'POST /profile/preferences': {
    theme: choice('dark', 'light'),
    shortcuts: choice('on'),
    after: choice('next'),
    density: choice('compact'),
  },
  'POST /profile/password': { current: text, password: text },
  'POST /profile/tokens': {
    name: text,
    scope: choice('read', 'write', 'admin'),
    days: choice(1, 30, 365),
    proof: () => PASSWORD,
  },
  'POST /profile/two-factor/start': { password: text },
  'POST /profile/two-factor/confirm': { code: (plan) => codeAt(turnOf(plan, 'settingUpCodes').key, new Date()) },
  'POST /profile/two-factor/recovery-codes': { proof: (plan) => proofOf(plan) },
  'POST /profile/two-factor/off': { off_proof: (plan) => proofOf(plan) },
  'POST /settings/security/two-factor': { requirement: choice(...TWO_FACTOR_REQUIREMENTS) },
  'POST /settings/agents': { email: { format: 'email' }, first_name: text, last_name: text, role: ROLE },
  'POST /settings/agents/:id/role': { role: ROLE },
  'POST /settings/agents/:id/reassign': { assignee: text },
  'POST /settings/groups': GROUP,
  'POST /settings/groups/:id': GROUP,
  'POST /settings/mailboxes': MAILBOX,
  'POST /settings/mailboxes/:id': MAILBOX,
  'POST /settings/mailboxes/:id/imap': {
    host: choice('imap.invalid', '127.0.0.1'),
    port: choice('993', '143', '0'),
    security: choice('tls', 'starttls', 'none'),
    username: text,
    password: text,
    folder: text,
  },
  'POST /settings/mailboxes/:id/imap/import': { since: choice('', '2026-01-31', '31 January') },
  'POST /settings/mailboxes/:id/imap/import/stop': {},
  'POST /settings/mailboxes/:id/signature': { signature: text },
  'POST /settings/mailboxes/:id/sender-checks': { authserv_id: text },
  'POST /settings/mailboxes/:id/smtp': {
    host: text,
    port: { type: 'integer' },
    security: choice('tls', 'starttls', 'none'),
    username: text,
    password: text,
  },
  'POST /settings/mailboxes/:id/smtp/delete': {},
  'POST /settings/mailboxes/:id/test': {},
  'POST /settings/webhooks': { url: text, event: choice(...Object.keys(EVENT_KINDS)), test: YES },
  'POST /settings/webhooks/:id': { url: text },
  'POST /settings/webhooks/:id/state': { state: choice('active', 'paused') },
  'POST /settings/webhooks/:id/signatures': { signatures: choice('v1', 'v1,v1a') },
  'POST /settings/webhooks/:id/replay': { hours: choice(1, 24, 720), which: choice('all', 'failed'), enable: YES },
  'POST /settings/replays': {
    hours: choice(1, 24, 720),
    which: choice('all', 'failed', 'retrying', 'undelivered'),
    last_response: choice('none', '5xx'),
    event: choice(...Object.keys(EVENT_KINDS)),
  },
  'POST /settings/deliveries/:id/redeliver': { list: YES },
  'POST /sign-in': { email: staffEmail, password: text },
  'POST /sign-in/code': { code: (plan) => codeAt(turnOf(plan, 'challenged').key, new Date()) },
  'POST /sign-in/recovery-code': { code: (plan) => turnOf(plan, 'challenged').recoveryCode },
  'POST /sign-in/account': { agent: ({ world }) => world.twin },
  'POST /forgot-password': { email: staffEmail },
  'POST /set-password/:token': { password: text },
  'POST /oauth/authorize': { decision: choice('allow', 'deny') },
};

const ALL_FIELDS = Object.values(FORMS).flatMap((form) => Object.entries(form));

/** Field names with their possible values. */
export function fieldsOfForm(plan: RequestPlan, route: string): readonly (readonly [string, FormField])[] {
  const known = FORMS[route];
  return known ? Object.entries(known) : plan.some(ALL_FIELDS, 0.1);
}

export const valueOf = (plan: RequestPlan, name: string, field: FormField): unknown =>
  typeof field === 'function' ? field(plan) : rightValue(plan, name, field);

const PAGE_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  folder: choice('unassigned', 'mine', 'open', 'closed', 'spam', 'deleted'),
  state: choice('active', 'paused', 'delivered', 'exhausted'),
  priority: PRIORITY,
  mailbox: text,
  tag: text,
  assignee: text,
  q: text,
  cursor: text,
  event: choice(...Object.keys(EVENT_KINDS)),
  since: text,
  to: text,
  id: text,
  images: choice('show'),
  before: text,
  return_to: choice('/inbox', '/oauth/authorize?x=y', '//evil.example'),
};

/** The query parameters of a page. */
export const parametersOfPage = (path: string): Parameter[] =>
  Object.entries(path === '/live' ? { watch: WATCH } : PAGE_PARAMETERS).map(([name, schema]) => ({ name, schema }));

const WATCH = choice('tickets', 'ticket=1', 'tickets ticket=2 deliveries', 'webhook=x ticket=0 nonsense');

/** They end the session that sends them, or change its password. */
const FOR_SPARES = new Set(['POST /sign-out', 'POST /profile/password', 'POST /profile/sessions/close-others']);
export const isForSpares = (route: string): boolean => FOR_SPARES.has(route);
