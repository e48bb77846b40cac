import type { FastifyReply } from 'fastify';
import type { Fault } from '../http/problem.js';
import { oauthBody } from './oauth-error.js';

const BACK_CHANNEL = /^\/oauth\/(token|revoke|introspect)\/?(\?|$)/;
const UNREADABLE = new Set([400, 413, 415, 422]);

/** What cannot be read fails before any controller is known, and OAuth clients expect errors in their own form. */
export const isOAuthFault = (url: string, { status }: Fault): boolean =>
  UNREADABLE.has(status) && BACK_CHANNEL.test(url);

export function sendOAuthFault(reply: FastifyReply, { detail }: Fault): void {
  void reply
    .status(400)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .send(JSON.stringify(oauthBody('invalid_request', detail)));
}
