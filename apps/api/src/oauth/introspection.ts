import type { FoundToken } from '#libs/access';

/** RFC 7662 section 2.2. */
export function introspectionOf(found: FoundToken | undefined, clientId: string, issuer: string): object {
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
  };
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);
