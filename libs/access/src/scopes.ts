import { InvalidField, SCOPES, type Scope, isScope } from '#libs/entities';

export function validateScopes(wanted: readonly string[]): Scope[] {
  if (wanted.length === 0 || !wanted.every(isScope))
    throw new InvalidField('scopes', 'unknown_scope', `Scopes are one or more of ${SCOPES.join(', ')}.`);
  return SCOPES.filter((scope) => wanted.includes(scope));
}
