import type { HttpProblem } from '../layers/edge/problem.js';

/** Codes of JSON-RPC 2.0 and of MCP. */
const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export class RpcError extends Error {
  constructor(
    readonly code: keyof typeof RPC_CODES,
    message: string,
    /** The HTTP status: 200 for a request that was understood, even if it fails. */
    readonly status = 200,
    readonly data?: object,
  ) {
    super(message);
  }

  /** With the id of the request, if it has a valid one. */
  answer(request: unknown) {
    const id = isObject(request) && isId(request['id']) ? request['id'] : undefined;
    return { jsonrpc: '2.0', id, error: { code: RPC_CODES[this.code], message: this.message, data: this.data } };
  }
}

export type Params = Readonly<Record<string, unknown>>;

export interface RpcMessage {
  /** Absent in a notification. */
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Params;
}

export const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is string | number => typeof value === 'string' || Number.isSafeInteger(value);

export function parseMessage(body: unknown): RpcMessage {
  if (!isObject(body)) throw invalidRequest('The body must be one JSON-RPC message, not a batch');
  const { jsonrpc, id, method, params = {} } = body;
  if (jsonrpc !== '2.0') throw invalidRequest('jsonrpc must be "2.0"');
  if (typeof method !== 'string') throw invalidRequest('method must be text');
  if (id !== undefined && !isId(id)) throw invalidRequest('id must be text or a whole number');
  if (!isObject(params)) throw invalidRequest('params must be an object');
  return { id, method, params };
}

const invalidRequest = (message: string): RpcError => new RpcError('invalidRequest', message, 400);

const MCP_ADDRESS = /^\/mcp\/?(\?|$)/;
const REQUEST_ERROR_STATUSES = new Set([400, 413, 415, 422]);

/** For requests that are refused before they reach the controller. */
export function mcpRequestError(url: string, { status, error, detail, errors }: HttpProblem) {
  if (!REQUEST_ERROR_STATUSES.has(status) || !MCP_ADDRESS.test(url)) return undefined;
  const code = error === 'malformed_body' ? 'parseError' : 'invalidRequest';
  return new RpcError(code, detail, status === 422 ? 400 : status, errors && { errors });
}
