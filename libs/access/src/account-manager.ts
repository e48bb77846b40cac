import { type AgentRole, Forbidden, manages } from '#libs/entities';

/** Who sets something for the whole account. */
export interface AccountManager {
  readonly accountId: string;
  readonly agentId: string;
  readonly role: AgentRole;
  readonly applicationId: string | null;
  readonly requestId: string | null;
}

export function requireManager({ role }: AccountManager): void {
  if (!manages(role)) throw new Forbidden('role_not_allowed', 'Only owners and admins may do this.');
}
