import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from './edge/caller.js';
import type { SessionRequest } from './sign-in/session.guard.js';
import type { RecentWrites } from './edge/recent-writes.js';

/** Notes what was written before it is answered, also where the answer is an error: some of it may have been committed. */
export function noteWrites(server: FastifyInstance, writes: RecentWrites): void {
  if (!writes.areKept) return;
  server.addHook('onSend', async (request, _reply, payload) => {
    const agentId = agentOf(request);
    if (agentId !== undefined && !isSafe(request)) await writes.note(agentId);
    return payload;
  });
}

/** What a request writes itself is not noted yet while it is at it. */
export const isSafe = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

const agentOf = (request: AuthenticatedRequest & SessionRequest): string | undefined =>
  (request.caller ?? request.session)?.agentId;
