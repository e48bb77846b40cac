import { Agent, type AgentRole, type Customer, Forbidden, PreconditionFailed, manages } from '#libs/entities';
import type { AccountScope } from '#libs/database';
import { entityTag } from '#libs/payloads';

/** Who acts, for whom, and under which request: passed along, never ambient. */
export interface RequestContext extends AccountScope {
  readonly agentId: string;
  readonly role: AgentRole;
  /** Null in the console and for personal access tokens. */
  readonly applicationId: string | null;
  readonly requestId: string | null;
  /** The entity tags of which the record must still have one. */
  readonly ifMatch?: readonly string[];
}

export function requireManager(context: RequestContext): void {
  if (!manages(context.role)) throw new Forbidden('role_not_allowed', 'Only owners and admins may do this.');
}

/** What an agent is said to have written, they wrote, or somebody who manages the account did for them. */
export function refuseImpersonation(context: RequestContext, author: Agent | Customer | null): void {
  if (author instanceof Agent && author.id !== context.agentId && !manages(context.role))
    throw new Forbidden('role_not_allowed', 'Only owners and admins may write in the name of another agent.');
}

/** With the record locked: what the client had read is what is about to be changed. */
export function requireUnchanged(context: RequestContext, shown: () => readonly object[]): void {
  if (!isUnchanged(context, shown)) throw new PreconditionFailed();
}

/** For a change that looks up what it names before it may be refused: that something is not known is the better answer. */
export const isUnchanged = ({ ifMatch }: RequestContext, shown: () => readonly object[]): boolean =>
  !ifMatch || shown().some((body) => ifMatch.includes(entityTag(body)));
