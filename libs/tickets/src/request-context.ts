import { Agent, type AgentRole, type Customer, Forbidden, PreconditionFailed, manages } from '#libs/entities';
import type { Reader } from '#libs/database';
import { entityTag } from '#libs/payloads';

/** Who acts, for whom, and under which request: passed along, never ambient. */
export interface RequestContext extends Reader {
  readonly agentId: string;
  readonly role: AgentRole;
  /** Null in the console and for personal access tokens. */
  readonly applicationId: string | null;
  readonly requestId: string | null;
  /** The entity tags of which the record must still have one. */
  readonly ifMatch?: readonly string[];
}

/**
 * For those who follow changes, and do not ask again for what an older answer would have kept from them. And for what
 * belongs to one record, which is read when somebody has just been told of it.
 */
export const upToDate = (context: RequestContext): RequestContext => ({ ...context, readsAfter: undefined });

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
