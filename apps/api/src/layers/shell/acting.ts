import type { RequestContext } from '#libs/tickets';
import type { Me } from '../sign-in/me.decorator.js';

/** Agents in the console act without an application, with all rights of their role. */
export const actingOf = ({ accountId, agentId, role, requestId }: Me): RequestContext => ({
  accountId,
  agentId,
  role,
  requestId,
  applicationId: null,
});
