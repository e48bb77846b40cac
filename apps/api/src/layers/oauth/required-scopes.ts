import { InsufficientScope, READING_SCOPES, type Scope, scopesMissing } from '#libs/entities';
import { SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { Caller } from '../edge/caller.js';

const SCOPES_KEY = 'oauth:scopes';
const RECORDS_KEY = 'oauth:records';
export const CHECKED_BY_HANDLER_KEY = 'oauth:checked_by_handler';

interface DeclaredScopes {
  readonly reading: readonly Scope[];
  readonly writing: readonly Scope[];
}

/** All of `scopes`, and with `records` one of those that show records. */
export interface RequiredScopes {
  readonly scopes: readonly Scope[];
  readonly records: boolean;
}

/** The route needs all of these. */
export const Scopes = (...scopes: Scope[]) => SetMetadata(SCOPES_KEY, { reading: scopes, writing: scopes });

/** GET needs the first, other methods the second. */
export const ScopesByMethod = (reading: Scope, writing: Scope) =>
  SetMetadata(SCOPES_KEY, { reading: [reading], writing: [writing] });

/** The service requires the scope of the kind of record: with `webhooks` alone, a token could otherwise read all. */
export const RevealsRecords = () => SetMetadata(RECORDS_KEY, true);

/** The handler requires the scopes, because some queries need fewer. */
export const ScopesCheckedByHandler = () => SetMetadata(CHECKED_BY_HANDLER_KEY, true);

type Targets = Parameters<Reflector['getAllAndOverride']>[1];

/** Undefined for a route that declares none, which the API does not start with. */
export function requiredScopes(reflector: Reflector, targets: Targets, method: string): RequiredScopes | undefined {
  const declared = reflector.getAllAndOverride<DeclaredScopes | undefined>(SCOPES_KEY, targets);
  const isReading = method === 'GET' || method === 'HEAD';
  const records = reflector.getAllAndOverride<true | undefined>(RECORDS_KEY, targets) ?? false;
  return declared && { scopes: isReading ? declared.reading : declared.writing, records };
}

/** Alternatives, each of which is enough. */
export const waysOf = ({ scopes, records }: RequiredScopes): (readonly Scope[])[] =>
  records ? READING_SCOPES.map((scope) => [...scopes, scope]) : [scopes];

export function missingScopes(required: RequiredScopes, granted: readonly Scope[]): Scope[] {
  const missing = waysOf(required).map((way) => scopesMissing(granted, way));
  return missing.reduce((least, one) => (one.length < least.length ? one : least));
}

/** `If-Match` tells whether a ticket or message has changed, so it takes a scope whose responses show tickets. */
export function withReadableTags(caller: Caller): Caller {
  const lacks = (scope: Scope) => scopesMissing(caller.scopes, [scope]).length > 0;
  if (caller.ifMatch && lacks('tickets:read') && lacks('tickets:write')) throw new InsufficientScope(['tickets:read']);
  return caller;
}
