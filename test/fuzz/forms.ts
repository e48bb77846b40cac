import { TWO_FACTOR_REQUIREMENTS } from '#libs/entities';
import { EVENT_KINDS, type JsonSchema } from '#libs/payloads';
import type { Parameter } from '#test/support/openapi-operations.js';
import { PASSWORD } from '../oauth/support/oauth-desk.js';
import { codeAt } from '#test/support/authenticator.js';
import type { RequestPlan } from './request-plan.js';
import { rightValue } from './values.js';
import type { World } from './world.js';

type FormField = JsonSchema | ((plan: RequestPlan) => unknown);
type FormSchema = Readonly<Record<string, FormField>>;

const text: JsonSchema = {};
const integer: JsonSchema = { type: 'integer' };
const choice = (...values: (string | number)[]): JsonSchema => ({ enum: values });
const YES = choice('yes', '');

/** Picks by turn, the same for the cookies and the fields of one request. */
export const turnOf = <Kind extends 'settingUpCodes' | 'codeHolders' | 'challenged'>(
  { world, index }: RequestPlan,
  kind: Kind,
): World[Kind][number] => world[kind][index % world[kind].length]!;

const staffEmail = ({ choices, world }: RequestPlan): string => choices.pick(world.staffEmails);
const codeOf = (plan: RequestPlan, kind: 'settingUpCodes' | 'codeHolders' | 'challenged'): string =>
  codeAt(turnOf(plan, kind).key, new Date());
const proofOf = (plan: RequestPlan): string => (plan.choices.isLikely(0.5) ? PASSWORD : codeOf(plan, 'codeHolders'));

/** Fields that have the same values in most forms. All others are texts. */
const FIELDS: FormSchema = {
  after: choice('stay', 'next', 'back'),
  authentication: choice('', 'none', 'bearer', 'basic'),
  days: choice(1, 30, 365),
  decision: choice('allow', 'deny'),
  do: choice('close', 'delete', 'merge', 'restore', 'assign', 'move', 'tag', 'spam', 'reopen', 'priority'),
  draft_revision: integer,
  enable: YES,
  event: choice(...Object.keys(EVENT_KINDS)),
  filter: choice(
    'tag:vip',
    '-tag:"red hot" is:opened',
    'mailbox:billing',
    'group:none -priority:none',
    'free words',
    'tag:"',
    '',
  ),
  for: choice('me', 'everybody'),
  hours: choice(1, 24, 720),
  into: integer,
  kind: choice('note', 'reply'),
  last_response: choice('none', '5xx'),
  list: YES,
  next: integer,
  note: YES,
  place: integer,
  preview: YES,
  priority: choice('low', 'medium', 'high', 'urgent', 'none'),
  quiet: YES,
  remove_headers: YES,
  replies: choice('on', ''),
  replies_by_mail: choice('true', 'false'),
  requirement: choice(...TWO_FACTOR_REQUIREMENTS),
  role: choice('admin', 'agent'),
  scope: choice('read', 'write', 'admin'),
  seconds: choice(0, 5, 10, 30),
  security: choice('tls', 'starttls', 'none'),
  seen: integer,
  signatures: choice('v1', 'v1,v1a'),
  test: YES,
  then_state: choice('closed', 'pending'),
  ticket: { type: 'array', items: integer },
  time_zone: choice('Europe/Berlin', 'UTC', '+01:00', 'Mars/Olympus', ''),
  until: choice('hours', 'tomorrow', 'monday', '2050-05-01T09:00'),
  which: choice('all', 'failed'),
};

const form = (names: string, own: FormSchema = {}): FormSchema => ({
  ...Object.fromEntries(names.split(' ').map((name) => [name, FIELDS[name] ?? text])),
  ...own,
});

const NOTHING: FormSchema = {};
const APPLICATION = form('name scope', {
  redirect_uri: choice('https://app.example/callback', 'http://127.0.0.1/callback', 'com.example.app:/callback'),
  home_page: choice('', 'https://app.example/'),
  type: choice('confidential', 'public'),
});
const CUSTOMER = form('email first_name last_name title website_url');
const SAVED_REPLY = form('name body tags assignee', {
  shared: choice('true', 'false'),
  state: choice('', 'closed', 'pending'),
});
const MESSAGE = 'draft_revision writer draft_file permit cc cc_offered more_cc saved_reply';

/** The fields of each form. A form that is not listed gets some of all fields. */
const FORMS: Readonly<Record<string, FormSchema>> = {
  'POST /tickets': form('to cc body first_name subject mailbox priority note held forward forwarded back file'),
  'POST /tickets/new/:id/undo': NOTHING,
  'POST /tickets/new/:id/discard': NOTHING,
  'POST /tickets/bulk': form('ticket tickets do priority assignee mailbox tags until into tag to'),
  'POST /tickets/:number/messages': form(`body kind then_state take send_at schedule after next seen ${MESSAGE}`),
  'POST /tickets/:number/draft': form(`body kind remove_file quiet ${MESSAGE}`),
  'POST /tickets/:number/preview': form(`body kind seen ${MESSAGE}`),
  'POST /tickets/undo': form('kept'),
  'POST /tickets/:number/replies/:id/undo': NOTHING,
  'POST /tickets/:number/replies/:id/send': NOTHING,
  'POST /tickets/:number/messages/:id/send-again': NOTHING,
  'POST /settings/outgoing-mail/:id/answer': form('text'),
  'POST /views': { name: text, query: () => 'folder=open&q=hello', ...form('for') },
  'POST /views/:id': form('name place'),
  'POST /settings/replies': form('seconds'),
  'POST /settings/replies/assistants': { send: choice('on') },
  'POST /settings/time': form('time_zone'),
  'POST /profile/time-zone': form('time_zone'),
  'POST /tickets/:number/snooze': form('until'),
  'POST /tickets/:number/wake': NOTHING,
  'POST /tickets/:number/state': { state: choice('opened', 'pending', 'closed', 'spam') },
  'POST /tickets/:number/assign': form('assignee assigned_group'),
  'POST /tickets/:number/priority': form('priority'),
  'POST /tickets/:number/tag': form('tags'),
  'POST /tickets/:number/untag': form('tags'),
  'POST /tickets/:number/move': form('mailbox'),
  'POST /tickets/:number/customer': form('email'),
  'POST /tickets/:number/title': form('title'),
  'POST /customers': CUSTOMER,
  'POST /customers/:email': CUSTOMER,
  'POST /profile/signature': form('signature'),
  'POST /profile': form('first_name last_name'),
  'POST /profile/notices': form('replies'),
  'POST /profile/preferences': {
    theme: choice('dark', 'light'),
    shortcuts: choice('on'),
    after: choice('next'),
    take: choice('on'),
    closing: choice('next'),
  },
  'POST /profile/password': form('current password'),
  'POST /profile/tokens': form('name scope days', { proof: () => PASSWORD }),
  'POST /profile/two-factor/start': form('password'),
  'POST /profile/two-factor/confirm': { code: (plan) => codeOf(plan, 'settingUpCodes') },
  'POST /profile/two-factor/recovery-codes': { proof: proofOf },
  'POST /profile/two-factor/off': { off_proof: proofOf },
  'POST /settings/security/two-factor': form('requirement'),
  'POST /settings/applications/own': APPLICATION,
  'POST /settings/applications/own/:clientId': APPLICATION,
  'POST /settings/applications/own/:clientId/rotate': { overlap: choice('0', '24', '168') },
  'POST /settings/agents': form('email first_name last_name role'),
  'POST /settings/agents/:id/role': form('role'),
  'POST /settings/agents/:id/reassign': form('assignee'),
  'POST /settings/groups': form('name agent'),
  'POST /settings/groups/:id': form('name agent'),
  'POST /settings/saved-replies': SAVED_REPLY,
  'POST /settings/saved-replies/:id': SAVED_REPLY,
  'POST /settings/saved-replies/:id/delete': NOTHING,
  'POST /settings/mailboxes': form('name email replies_by_mail'),
  'POST /settings/mailboxes/:id': form('name email replies_by_mail'),
  'POST /settings/mailboxes/:id/imap': {
    host: choice('imap.invalid', '127.0.0.1'),
    port: choice('993', '143', '0'),
    ...form('security username password folder'),
  },
  'POST /settings/mailboxes/:id/imap/import': { since: choice('', '2026-01-31', '31 January') },
  'POST /settings/mailboxes/:id/imap/import/stop': NOTHING,
  'POST /settings/mailboxes/:id/signature': form('signature'),
  'POST /settings/mailboxes/:id/sender-checks': form('authserv_id'),
  'POST /settings/mailboxes/:id/smtp': { host: text, port: integer, ...form('security username password') },
  'POST /settings/mailboxes/:id/smtp/delete': NOTHING,
  'POST /settings/mailboxes/:id/test': NOTHING,
  'POST /settings/webhooks': form('url event filter preview test authentication username credential headers'),
  'POST /settings/webhooks/:id': form(
    'url name filter preview authentication username credential headers remove_headers',
  ),
  'POST /settings/webhooks/:id/state': { state: choice('active', 'paused') },
  'POST /settings/webhooks/:id/signatures': form('signatures'),
  'POST /settings/webhooks/:id/replay': form('hours which enable'),
  'POST /settings/replays': form('hours which last_response event', {
    which: choice('all', 'failed', 'retrying', 'undelivered'),
  }),
  'POST /settings/deliveries/:id/redeliver': form('list'),
  'POST /sign-in': form('email password', { email: staffEmail }),
  'POST /sign-in/code': { code: (plan) => codeOf(plan, 'challenged') },
  'POST /sign-in/recovery-code': { code: (plan) => turnOf(plan, 'challenged').recoveryCode },
  'POST /sign-in/account': { agent: ({ world }) => world.twin },
  'POST /forgot-password': { email: staffEmail },
  'POST /set-password/:token': form('password'),
  'POST /oauth/authorize': form('decision'),
};

const ALL_FIELDS = Object.values(FORMS).flatMap((fields) => Object.entries(fields));

export function fieldsOfForm(plan: RequestPlan, route: string): readonly (readonly [string, FormField])[] {
  const known = FORMS[route];
  return known ? Object.entries(known) : plan.some(ALL_FIELDS, 0.1);
}

export const valueOf = (plan: RequestPlan, name: string, field: FormField): unknown =>
  typeof field === 'function' ? field(plan) : rightValue(plan, name, field);

const PAGE_PARAMETERS = form(
  'folder state priority mailbox tag rename assignee group q cursor event since to held forward back id images before saved_reply return_to webhook ticket tickets standing last_status',
  {
    folder: choice('unassigned', 'mine', 'open', 'closed', 'spam', 'deleted'),
    state: choice('active', 'paused', 'delivered', 'exhausted'),
    images: choice('show'),
    standing: choice('held', 'retrying', 'given_up'),
    last_status: choice('404', '5xx', 'none'),
    return_to: choice('/inbox', '/oauth/authorize?x=y', '//evil.example'),
  },
) as Readonly<Record<string, JsonSchema>>;

export const parametersOfPage = (path: string): Parameter[] =>
  Object.entries(path === '/live' ? { watch: WATCH } : PAGE_PARAMETERS).map(([name, schema]) => ({ name, schema }));

const WATCH = choice('tickets', 'ticket=1', 'tickets ticket=2 deliveries', 'webhook=x ticket=0 nonsense');

/** They end the session that sends them, or change its password. */
const FOR_SPARES = new Set(['POST /sign-out', 'POST /profile/password', 'POST /profile/sessions/close-others']);
export const isForSpares = (route: string): boolean => FOR_SPARES.has(route);
