import { InsufficientScope } from './errors.js';

/** In the order in which pages and documents list them: each set before its members. */
export const SCOPES = [
  'read',
  'tickets:read',
  'customers:read',
  'people:read',
  'write',
  'tickets:write',
  'messages:write',
  'customers:write',
  'webhooks',
  'settings',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes that show records. */
export const READING_SCOPES = ['tickets:read', 'customers:read', 'people:read'] as const satisfies readonly Scope[];

/** `admin` also opens the webhooks of others, so its members do not replace it. */
export const SCOPE_SETS = {
  read: READING_SCOPES,
  write: ['tickets:write', 'messages:write', 'customers:write'],
  admin: ['admin', 'people:read', 'webhooks', 'settings'],
} as const satisfies Partial<Record<Scope, readonly Scope[]>>;

/** The default of an application. */
export const ALL_ACCESS = ['read', 'write', 'webhooks', 'admin'] as const satisfies readonly Scope[];

/** The scopes with each set replaced by its members. Unknown names stay. */
export const scopeMembers = (scopes: readonly string[]): string[] => [
  ...new Set(scopes.flatMap((scope) => (SCOPE_SETS as Readonly<Record<string, readonly string[]>>)[scope] ?? [scope])),
];

/** The members of `needed` that `granted` lacks. */
export function scopesMissing<Name extends string>(granted: readonly Scope[], needed: readonly Name[]): Name[] {
  const members = scopeMembers(granted);
  return scopeMembers(needed).filter((scope) => !members.includes(scope)) as Name[];
}

export function requireScopes(granted: readonly Scope[], needed: readonly Scope[]): void {
  const missing = scopesMissing(granted, needed);
  if (missing.length > 0) throw new InsufficientScope(missing);
}

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);
