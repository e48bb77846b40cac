import type { FastifyInstance } from 'fastify';

/** The account, agent and application that a request has proved to act for. */
export interface RequestActor {
  readonly accountId?: string;
  readonly agentId?: string;
  readonly applicationId?: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** For the access log. What a request may do is decided by `caller` and `session`. */
    actor: RequestActor | null;
  }
}

/** Fastify wants each property declared before the first request, so that all requests have one shape. */
export const declareActor = (server: FastifyInstance): unknown => server.decorateRequest('actor', null);
