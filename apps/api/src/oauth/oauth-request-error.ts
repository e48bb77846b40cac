import type { FastifyReply } from 'fastify';
import type { HttpProblem } from '../http/problem.js';
import { oauthErrorBody } from './oauth-error.js';

const TOKEN_ENDPOINTS = /^\/oauth\/(token|revoke|introspect)\/?(\?|$)/;
const REQUEST_ERROR_STATUSES = new Set([400, 413, 415, 422]);

/** An unreadable request fails before it reaches a controller. OAuth clients expect the error of RFC 6749 then too. */
export const isOAuthRequestError = (url: string, { status }: HttpProblem): boolean =>
  REQUEST_ERROR_STATUSES.has(status) && TOKEN_ENDPOINTS.test(url);

export function sendOAuthRequestError(reply: FastifyReply, { detail }: HttpProblem): void {
  void reply
    .status(400)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .send(JSON.stringify(oauthErrorBody('invalid_request', detail)));
}
