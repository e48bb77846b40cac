import type { FastifyRequest } from 'fastify';
import type { HttpProblem } from '../layers/edge/problem.js';
import { RpcError, idOf, rpcError } from './json-rpc.js';

const MCP_ADDRESS = /^\/mcp\/?(\?|$)/;
const REQUEST_ERROR_STATUSES = new Set([400, 413, 415, 422]);

/** For requests that are refused before they reach the controller. */
export function mcpRequestError({ url, body }: FastifyRequest, { status, error, detail, errors }: HttpProblem) {
  if (!REQUEST_ERROR_STATUSES.has(status) || !MCP_ADDRESS.test(url)) return undefined;
  const code = error === 'malformed_body' ? 'parseError' : 'invalidRequest';
  const response = rpcError(idOf(body), new RpcError(code, detail, status, errors && { errors }));
  return { status: status === 422 ? 400 : status, body: response };
}
