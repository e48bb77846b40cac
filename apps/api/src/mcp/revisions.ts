import type { IncomingHttpHeaders } from 'node:http';
import { RpcError, type RpcMessage, isObject } from './json-rpc.js';

/** Without handshake or session: each request names its revision. */
export const STATELESS = '2026-07-28';
/** The client begins with `initialize`. */
export const WITH_HANDSHAKE = '2025-11-25';
export const REVISIONS = [STATELESS, WITH_HANDSHAKE] as const;
export type Revision = (typeof REVISIONS)[number];

const VERSION_FIELD = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_FIELD = 'io.modelcontextprotocol/clientCapabilities';
export const SERVER_FIELD = 'io.modelcontextprotocol/serverInfo';

/** The revision of a request, whose headers must repeat what its body says (SEP-2243). */
export function revisionOf(message: RpcMessage, headers: IncomingHttpHeaders): Revision {
  const { _meta } = message.params;
  const meta = isObject(_meta) ? _meta : {};
  const stated = meta[VERSION_FIELD];
  const named = headers['mcp-protocol-version'];
  if ([stated, named].every((version) => version === undefined || version === WITH_HANDSHAKE)) return WITH_HANDSHAKE;
  requireHeader('MCP-Protocol-Version', named, stated ?? named);
  const revisions = { supported: REVISIONS, requested: named };
  if (named !== STATELESS) throw new RpcError('unsupportedVersion', 'Unsupported protocol version', 400, revisions);
  requireHeader('Mcp-Method', headers['mcp-method'], message.method);
  const name = message.params[message.method === 'resources/read' ? 'uri' : 'name'];
  if (METHODS_WITH_NAME.has(message.method) && typeof name === 'string')
    requireHeader('Mcp-Name', decoded(headers['mcp-name']), name);
  if (typeof stated !== 'string' || !isObject(meta[CAPABILITIES_FIELD]))
    throw new RpcError('invalidParams', `_meta needs ${VERSION_FIELD} and ${CAPABILITIES_FIELD}`, 400);
  return STATELESS;
}

const METHODS_WITH_NAME = new Set(['tools/call', 'prompts/get', 'resources/read']);

function requireHeader(header: string, value: unknown, inBody: unknown): void {
  if (value === undefined || value !== inBody)
    throw new RpcError('headerMismatch', `The header ${header} must repeat the body`, 400);
}

/** Names that are not ASCII come as Base64. */
function decoded(value: unknown): unknown {
  const encoded = typeof value === 'string' && /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded ? Buffer.from(encoded, 'base64').toString() : value;
}
