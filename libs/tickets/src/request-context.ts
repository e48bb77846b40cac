import type { AccountScope } from '#libs/database';
import { Agent, type AgentRole, type Customer, Forbidden, manages } from '#libs/entities';
import type { Actor } from '#libs/events';

/** Passed as an argument, never ambient. */
export interface RequestContext extends AccountScope, Actor {
  readonly agentId: string;
  readonly role: AgentRole;
  readonly ifMatch?: readonly string[];
}

export function requireManager(context: RequestContext): void {
  if (!manages(context.role)) throw new Forbidden('role_not_allowed', 'Only owners and admins may do this.');
}

export function refuseImpersonation(context: RequestContext, author: Agent | Customer | null): void {
  if (author instanceof Agent && author.id !== context.agentId && !manages(context.role))
    throw new Forbidden('role_not_allowed', 'Only owners and admins may write in the name of another agent.');
}
