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
  if (named !== STATELESS) throw unsupportedVersion(named);
  requireHeader('Mcp-Method', headers['mcp-method'], message.method);
  const parameter = NAMES.get(message.method);
  const name = parameter === undefined ? undefined : message.params[parameter];
  if (typeof name === 'string') requireHeader('Mcp-Name', decoded(headers['mcp-name']), name);
  if (typeof stated !== 'string' || !isObject(meta[CAPABILITIES_FIELD]))
    throw new RpcError('invalidParams', `_meta needs ${VERSION_FIELD} and ${CAPABILITIES_FIELD}`, 400);
  return STATELESS;
}

/** The parameter that `Mcp-Name` repeats. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

function requireHeader(header: string, value: string | string[] | undefined, expected: unknown): void {
  if (value === undefined) throw new RpcError('headerMismatch', `The header ${header} is missing`, 400);
  if (value !== expected) throw new RpcError('headerMismatch', `The header ${header} does not match the body`, 400);
}

const unsupportedVersion = (requested: unknown): RpcError =>
  new RpcError('unsupportedVersion', 'Unsupported protocol version', 400, { supported: REVISIONS, requested });

/** Names that are not ASCII come as Base64. */
function decoded(value: string | string[] | undefined): string | string[] | undefined {
  const encoded = typeof value === 'string' ? /^=\?base64\?(.*)\?=$/.exec(value)?.[1] : undefined;
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}
