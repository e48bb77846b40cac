/** Codes of JSON-RPC 2.0 and of MCP. */
const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

type RpcCode = keyof typeof RPC_CODES;

export class RpcError extends Error {
  constructor(
    readonly code: RpcCode,
    message: string,
    /** The HTTP status: 200 for a request that was understood, even if it fails. */
    readonly status = 200,
    readonly data?: object,
  ) {
    super(message);
  }
}

export type Params = Readonly<Record<string, unknown>>;

export interface RpcMessage {
  /** Absent in a notification. */
  readonly id?: RpcId;
  readonly method: string;
  readonly params: Params;
}

type RpcId = string | number;

export const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function parseMessage(body: unknown): RpcMessage {
  if (!isObject(body)) throw invalidRequest('The body must be one JSON-RPC message, not a batch');
  const { jsonrpc, method, params = {} } = body;
  const id = idOf(body);
  if (jsonrpc !== '2.0') throw invalidRequest('jsonrpc must be "2.0"');
  if (typeof method !== 'string') throw invalidRequest('method must be text');
  if ('id' in body && id === undefined) throw invalidRequest('id must be text or a whole number');
  if (!isObject(params)) throw invalidRequest('params must be an object');
  return { ...(id !== undefined && { id }), method, params };
}

const invalidRequest = (message: string): RpcError => new RpcError('invalidRequest', message, 400);

/** Undefined unless the body has a valid one. */
export function idOf(body: unknown): RpcId | undefined {
  const id = isObject(body) ? body['id'] : undefined;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RpcId) : undefined;
}

export const rpcResult = (id: RpcId, result: object) => ({ jsonrpc: '2.0', id, result });

export const rpcError = (id: RpcId | undefined, { code, message, data }: Omit<RpcError, 'name' | 'status'>) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  error: { code: RPC_CODES[code], message, ...(data && { data }) },
});
