import type { JsonSchema } from '#libs/payloads';
import { PASSWORD } from '../oauth/support/oauth-desk.js';
import { hostileText, hostileValue } from './hostile.js';
import type { RequestPlan } from './request-plan.js';
import type { WordKind } from './world.js';

export function wordOf({ choices, world }: RequestPlan, kind: WordKind): string {
  return world.words[kind].length > 0 ? choices.pick(world.words[kind]) : 'none';
}

const TIMES = [
  '2026-01-31T12:00:00Z',
  '2026-01-31',
  '2026-01-31T12:00:00.123456+02:00',
  'Sat, 31 Jan 2026 12:00:00 GMT',
];
const PLAIN_TEXTS = ['Hello', 'Where is my order?', 'vip', 'x', 'Größe 42 – 日本語 🙂', '<p>Hi <b>there</b></p>'];

const oneOf =
  (...kinds: WordKind[]) =>
  (plan: RequestPlan): string =>
    wordOf(plan, plan.choices.pick(kinds));
const email = ({ choices }: RequestPlan): string =>
  choices.isLikely(0.5)
    ? `customer-${choices.integer(0, 11)}@client.test`
    : `fuzz-${choices.integer(1, 400)}@client.test`;
const plainText = ({ choices }: RequestPlan): string => choices.pick(PLAIN_TEXTS);

/** The values of a field with this name, in the API and in the forms of the console. */
const VALUES: Readonly<Record<string, (plan: RequestPlan) => unknown>> = {
  body: plainText,
  from: email,
  to: email,
  email,
  customer: oneOf('customers'),
  author: oneOf('customers', 'agents'),
  assignee: (plan) => (plan.choices.isLikely(0.3) ? 'unassigned' : wordOf(plan, 'agents')),
  assigned_group: (plan) => (plan.choices.isLikely(0.3) ? 'none' : wordOf(plan, 'groups')),
  group: oneOf('groups'),
  agent: oneOf('agents'),
  external_id: ({ choices }) => `record-${choices.integer(1, 50)}`,
  members: (plan) => [wordOf(plan, 'agents')],
  mailbox: oneOf('mailboxes'),
  message: oneOf('messages'),
  cursor: oneOf('cursors'),
  account: ({ world }) => world.accounts.ours,
  name: ({ choices }) => `Name ${choices.integer(1, 100_000)}`,
  url: ({ choices, world }) => `${world.receiverUrl}hook-${choices.integer(1, 100_000)}`,
  tags: (plan) => plan.some(['vip', 'refund', 'spam', 'Größe'], 0.4),
  tag: oneOf('tags'),
  q: plainText,
  page: ({ choices }) => choices.integer(1, 5),
  per_page: ({ choices }) => choices.integer(1, 50),
  since: ({ choices }) => choices.pick(TIMES),
  password: () => PASSWORD,
  current: () => PASSWORD,
  pass: oneOf('downloads'),
};

/** A value that the schema allows and the world contains. */
export function rightValue(plan: RequestPlan, name: string, schema: JsonSchema = {}): unknown {
  const { choices } = plan;
  if (schema.enum) return choices.pick(schema.enum);
  if (schema.oneOf) return rightValue(plan, name, choices.pick(schema.oneOf));
  const type = [schema.type].flat()[0];
  if (type === 'object') return objectOf(plan, schema);
  const known = VALUES[name];
  if (known) return known(plan);
  if (schema.examples) return choices.pick(TIMES);
  if (type === 'integer' || type === 'number') return choices.integer(1, 60);
  if (type === 'boolean') return choices.isLikely(0.5);
  if (type === 'array') return [rightValue(plan, name, schema.items)];
  return schema.format === 'email' ? email(plan) : plainText(plan);
}

/** The required fields, and some others. An object without named fields gets a few of its own. */
export function objectOf(plan: RequestPlan, schema: JsonSchema): Record<string, unknown> {
  if (!schema.properties) return { colour: 'blue', floors: plan.choices.integer(1, 9) };
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).filter(([name]) => required.has(name) || plan.choices.isLikely(0.3));
  return Object.fromEntries(fields.map(([name, field]) => [name, rightValue(plan, name, field)]));
}

const CHANGES = ['value', 'value', 'value', 'missing', 'unknown', 'everything'] as const;

/** Breaks one field, or all of them. */
export function withWrongField(plan: RequestPlan, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { choices } = plan;
  const names = Object.keys(fields);
  const change = names.length === 0 ? 'unknown' : choices.pick(CHANGES);
  const chosen = names.length === 0 ? '' : choices.pick(names);
  if (change === 'value') return { ...fields, [chosen]: hostileValue(choices) };
  if (change === 'missing') return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== chosen));
  if (change === 'unknown') return { ...fields, [hostileText(choices)]: hostileValue(choices) };
  return Object.fromEntries(names.map((name) => [name, hostileValue(choices)]));
}
