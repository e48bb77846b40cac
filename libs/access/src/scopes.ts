import { InvalidField, SCOPES, type Scope } from '#libs/entities';

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);

export function validateScopes(wanted: readonly string[]): Scope[] {
  const unknown = wanted.find((scope) => !isScope(scope));
  if (unknown !== undefined || wanted.length === 0)
    throw new InvalidField('scopes', 'unknown_scope', `Scopes are one or more of ${SCOPES.join(', ')}.`);
  return SCOPES.filter((scope) => wanted.includes(scope));
}
