import { READING_SCOPES, SCOPES, SCOPE_SETS, type Scope, scopesMissing } from '#libs/entities';

interface ScopeText {
  /** In tables and forms. */
  readonly label: string;
  /** On the consent page and in the API reference. */
  readonly sentence: string;
}

export const SCOPE_TEXTS: Readonly<Record<Scope, ScopeText>> = {
  read: {
    label: 'read',
    sentence: 'Read all tickets, messages, internal notes, files, customers and agents',
  },
  'tickets:read': {
    label: 'read tickets',
    sentence: 'Read all tickets with their messages, internal notes and files',
  },
  'customers:read': { label: 'read customers', sentence: 'Read all customers' },
  'people:read': { label: 'see agents and mailboxes', sentence: 'See agents, groups and mailboxes' },
  write: {
    label: 'change tickets and customers',
    sentence:
      'Create, change and delete tickets, messages and customers, and see each record it changes. See and change saved replies',
  },
  'tickets:write': {
    label: 'change tickets',
    sentence: 'Change and delete tickets, and see each ticket it changes',
  },
  'messages:write': {
    label: 'reply and add notes',
    sentence: 'Reply to customers and add internal notes in your name. See and change saved replies',
  },
  'customers:write': {
    label: 'change customers',
    sentence: 'Create, change and delete customers, and see each customer it changes',
  },
  webhooks: {
    label: 'manage its webhooks',
    sentence: 'Register webhooks, which send it the records that it may read as they change',
  },
  settings: {
    label: 'manage people and mailboxes',
    sentence:
      'Manage agents, groups and mailboxes, within your own permissions. Agents that it invites can see everything',
  },
  admin: {
    label: 'manage people and settings',
    sentence:
      'Manage agents, groups, mailboxes and all webhooks, within your own permissions. Agents that it invites can see everything',
  },
};

/** The labels of the scopes, without members of a set that is listed too. */
export function permissionsOf(scopes: readonly Scope[]): string {
  const sets = scopes.filter((scope) => scope in SCOPE_SETS);
  const shown = SCOPES.filter(
    (scope) => sets.includes(scope) || (scopes.includes(scope) && scopesMissing(sets, [scope]).length > 0),
  );
  return shown.map((scope) => SCOPE_TEXTS[scope].label).join(', ');
}

/** Without a scope that reads, an application can neither register webhooks nor read deliveries. */
const WEBHOOKS_ALONE = 'See, test and delete its webhooks. It cannot register webhooks or receive records';

export function sentenceOf(scope: Scope, scopes: readonly Scope[]): string {
  const reads = scopesMissing(scopes, READING_SCOPES).length < READING_SCOPES.length;
  return scope === 'webhooks' && !reads ? WEBHOOKS_ALONE : SCOPE_TEXTS[scope].sentence;
}
