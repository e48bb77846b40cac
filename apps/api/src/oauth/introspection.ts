import type { FoundToken } from '#libs/access';

/** RFC 7662 section 2.2. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly client_id: string;
      readonly token_type?: 'bearer';
      readonly exp: number;
      readonly iat: number;
      readonly sub: string;
      readonly iss: string;
      readonly account: { readonly id: string; readonly name: string };
    };

export function introspectionOf(found: FoundToken | undefined, clientId: string, issuer: string): Introspection {
  if (!found) return { active: false };
  return {
    active: true,
    scope: found.scopes.join(' '),
    client_id: clientId,
    ...(found.kind === 'access' && { token_type: 'bearer' }),
    exp: seconds(found.expiresAt),
    iat: seconds(found.issuedAt),
    sub: found.agentId,
    iss: issuer,
    account: { id: found.accountId, name: found.accountName },
  };
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);
