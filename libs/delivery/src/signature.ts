import { createHmac, randomBytes } from 'node:crypto';
import type { EventCause } from '#libs/entities';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export interface AsymmetricKey {
  /** Equal keys have equal ids (RFC 7638). */
  readonly id: string;
  /** JWK (RFC 8037): 32 bytes in base64url. */
  readonly x: string;
  readonly whpk: string;
  readonly sign: (content: Buffer) => string;
}

export interface SignedRequest {
  readonly accountId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly kind: string;
  readonly sequence: number | bigint | string;
  readonly attempt: number;
  readonly test?: boolean;
  readonly cause: EventCause;
  readonly traceparent?: string | null;
  /** Newest first. All sign during a rotation. */
  readonly secrets: readonly string[];
  /** Newest first. */
  readonly asymmetricKeys?: readonly AsymmetricKey[];
  readonly timestamp: Date;
  /** The sent bytes, never serialised twice. */
  readonly body: Buffer;
  /** For receivers written for another help desk. */
  readonly aliases: readonly string[];
  readonly version: string;
}

export function signatureHeaders(request: SignedRequest): Record<string, string> {
  const { cause, timestamp } = request;
  const seconds = Math.floor(timestamp.getTime() / 1000);
  const headers = {
    'user-agent': `Deskwire-Webhooks/${request.version}`,
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': request.eventId,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': signatures(request, seconds),
    'webhook-event': request.kind,
    'webhook-attempt': `${request.attempt}`,
    'webhook-sequence': `${request.sequence}`,
    'webhook-account': request.accountId,
    'webhook-endpoint': request.webhookId,
    'webhook-cause': cause.type,
    ...(cause.clientId && { 'webhook-cause-client': cause.clientId }),
    ...(cause.agentId && { 'webhook-cause-agent': cause.agentId }),
    ...(request.traceparent && { traceparent: request.traceparent }),
    ...(request.asymmetricKeys?.length && { 'webhook-key-id': request.asymmetricKeys.map(({ id }) => id).join(' ') }),
    ...(request.test === true && { 'webhook-test': 'true' }),
  };
  const aliases = request.aliases.map((alias) => [alias.toLowerCase(), request.kind]);
  return { ...Object.fromEntries(aliases), ...headers };
}

/** Standard Webhooks requires 24 bytes. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

export function webhookSecretFault(text: string): string | null {
  const encoded = text.startsWith(SECRET_PREFIX) ? text.slice(SECRET_PREFIX.length) : '';
  const bytes = Buffer.from(encoded, 'base64');
  if (encoded === '' || bytes.toString('base64') !== encoded) return 'must be whsec_ and base64, with padding';
  if (bytes.length < MIN_SECRET_BYTES || bytes.length > MAX_SECRET_BYTES)
    return `must be of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes`;
  return null;
}

export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** A logged signature could be replayed within its tolerance. */
export function withoutSignature(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { 'webhook-signature': _signature, ...kept } = headers;
  return kept;
}

function signatures(request: SignedRequest, seconds: number): string {
  const { secrets, asymmetricKeys = [], body } = request;
  if (secrets.length === 0) throw new Error('A delivery is never sent unsigned');
  const entries = Object.entries(signedHeads(request, seconds)).flatMap(([version, head]) => {
    const symmetric = secrets.map((secret) => `${version},${hmac(secret, head, body)}`);
    if (asymmetricKeys.length === 0) return symmetric;
    const content = Buffer.concat([Buffer.from(head), body]);
    return [...symmetric, ...asymmetricKeys.map((key) => `${version}a,${key.sign(content)}`)];
  });
  return entries.join(' ');
}

/**
 * The signed text before the body, by version. Libraries of Standard Webhooks verify `v1` and skip `dw1`. Headers contain
 * no line breaks, so the fields of `dw1` cannot shift, and no text of `dw1` is one of `v1` under other headers.
 */
function signedHeads({ eventId, kind, test = false, accountId, webhookId }: SignedRequest, seconds: number) {
  return {
    v1: `${eventId}.${seconds}.`,
    dw1: ['dw1', eventId, seconds, kind, test, accountId, webhookId, ''].join('\n'),
  };
}

function hmac(secret: string, head: string, body: Buffer): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(head).update(body).digest('base64');
}
