import type { Parameter } from '#test/support/openapi-operations.js';
import { type RequestPlan, encoded } from './request-plan.js';
import { rightValue, wordOf } from './values.js';
import type { WordKind } from './world.js';

/** The kind of a path parameter, by the preceding part of the path. */
const NAMED_AFTER: Readonly<Record<string, WordKind>> = {
  tickets: 'tickets',
  replying: 'tickets',
  messages: 'messages',
  customers: 'customers',
  agents: 'agents',
  groups: 'groups',
  mailboxes: 'mailboxes',
  change_mailbox: 'mailboxes',
  arrivals: 'arrivals',
  quarantine: 'arrivals',
  views: 'views',
  tags: 'tags',
  webhooks: 'webhooks',
  deliveries: 'deliveries',
  replays: 'replays',
  events: 'events',
  attachments: 'attachments',
  applications: 'applications',
  own: 'own applications',
  tokens: 'tokens',
};

const SECTIONS = ['tickets', 'records', 'nowhere'];
const GUIDES = ['webhooks', 'api', 'nowhere'];

/** These words are whole paths, signed or with a version in them. */
const WHOLE: Readonly<Record<string, WordKind>> = {
  '/downloads/:id': 'downloads',
  '/set-password/:token': 'links',
  '/assets/:version/:name': 'assets',
};

/** Routes for which most names of the usual kind are wrong. */
const NAMED_ON: Readonly<Record<string, WordKind>> = { '/settings/agents/:id/reset-two-factor': 'agents with a code' };

export function pathWith(plan: RequestPlan, path: string): string {
  const whole = WHOLE[path];
  if (whole && !plan.has('path')) return wordOf(plan, whole);
  const parts = path.split('/');
  const named = parts.map((part, place) =>
    /^[{:]/.test(part) ? encoded(plan.textFor('path', () => wordAt(plan, parts, place, NAMED_ON[path]))) : part,
  );
  return plan.has('path') ? bent(plan, named.join('/')) : named.join('/');
}

function wordAt(plan: RequestPlan, parts: readonly string[], place: number, only?: WordKind): string {
  const before = parts[place - 1] ?? '';
  if (before === 'docs') return plan.choices.pick(SECTIONS);
  if (before === 'guides') return plan.choices.pick(GUIDES);
  const kind = only ?? NAMED_AFTER[before];
  return kind ? wordOf(plan, kind) : 'x';
}

const BENDS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.replaceAll('/', '//'),
  (path) => `${path}/..`,
  (path) => `${path}%00`,
  (path) => `${path}%`,
  (path) => `${path}%2`,
  (path) => `${path}%ff%fe`,
  (path) => `${path};a=b`,
  (path) => `${path}#fragment`,
  (path) => path.toUpperCase(),
  (path) => path.replaceAll('/', '%2f'),
  (path) => path.replaceAll('/', '\\'),
  (path) => `${path}/${'a'.repeat(600)}`,
  (path) => `${path}/${'a/'.repeat(2000)}`,
  (path) => path.slice(0, -1),
  (path) => path.slice(1),
  () => '*',
  () => '/',
  () => '',
];

const bent = ({ choices }: RequestPlan, path: string): string => choices.pick(BENDS)(path);

/** The path with these query parameters, after its own. */
export function withQuery(plan: RequestPlan, path: string, parameters: readonly Parameter[]): string {
  const pairs = parameters.map(({ name, schema }) => {
    const text = plan.textFor('query', () => asText(rightValue(plan, name, schema)));
    return `${name}${plan.has('query') && plan.choices.isLikely(0.1) ? '[]' : ''}=${encoded(text)}`;
  });
  if (plan.has('query')) pairs.push(plan.choices.pick(ODD_PAIRS));
  return pairs.length > 0 ? `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}` : path;
}

const ODD_PAIRS = [
  'x=%00',
  'x=%4',
  'x=%ED%A0%80',
  'x',
  '=',
  '&&&',
  'page=-1&per_page=0',
  'page=1e9&per_page=1e9',
  'cursor=e30',
  'cursor[]=a&cursor[]=b',
  'sort[a]=b',
  '__proto__[x]=1&constructor[prototype][x]=1',
  'a[b][c][d][e][f][g][h]=1',
  `${'a[]=1&'.repeat(1500)}a=1`,
  `x=${'y'.repeat(9000)}`,
  '?',
  'access_token=x',
];

/** Avoids String, which some values make throw. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
