import type { FastifyReply } from 'fastify';
import type { Fault } from '../http/problem.js';
import { oauthBody } from './oauth-error.js';

const BACK_CHANNEL = /^\/oauth\/(token|revoke|introspect)\/?(\?|$)/;
const OF_THE_BODY = new Set([400, 413, 415]);

/** A body that no parser could read fails before any controller is known, and OAuth clients expect their own form. */
export const isOAuthFault = (url: string, { status }: Fault): boolean =>
  OF_THE_BODY.has(status) && BACK_CHANNEL.test(url);

export function sendOAuthFault(reply: FastifyReply, { detail }: Fault): void {
  void reply
    .status(400)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .send(JSON.stringify(oauthBody('invalid_request', detail)));
}
