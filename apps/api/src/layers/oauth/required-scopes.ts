import type { Scope } from '#libs/entities';
import { SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const SCOPES_KEY = 'oauth:scopes';
const RECORDS_KEY = 'oauth:records';

/** One of `anyOf`, and `read` if the route shows or sends records. */
interface RequiredScopes {
  readonly anyOf: readonly Scope[];
  readonly read: boolean;
}

export const Scopes = (...scopes: Scope[]) => SetMetadata(SCOPES_KEY, scopes);

/** With `webhooks` alone, a token could otherwise read every record. */
export const RevealsRecords = () => SetMetadata(RECORDS_KEY, true);

type Targets = Parameters<Reflector['getAllAndOverride']>[1];

export function requiredScopes(reflector: Reflector, targets: Targets, method: string): RequiredScopes {
  const isReading = method === 'GET' || method === 'HEAD';
  return {
    anyOf: reflector.getAllAndOverride<Scope[] | undefined>(SCOPES_KEY, targets) ?? [isReading ? 'read' : 'write'],
    read: reflector.getAllAndOverride<true | undefined>(RECORDS_KEY, targets) ?? false,
  };
}

export function missingScopes({ anyOf, read }: RequiredScopes, scopes: readonly Scope[]): Scope[] {
  const isOpened = anyOf.length === 0 || anyOf.some((scope) => scopes.includes(scope));
  return [...(isOpened ? [] : [anyOf[0]!]), ...(read && !scopes.includes('read') ? ['read' as const] : [])];
}
