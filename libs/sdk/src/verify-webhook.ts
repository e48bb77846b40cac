import type { components, webhooks } from './openapi.js';

export type EventKind = keyof webhooks;

export type RecordOf<K extends EventKind> = webhooks[K]['post']['requestBody']['content']['application/json'];

interface EventOf<K extends EventKind> {
  readonly kind: K;
  readonly record: RecordOf<K>;
  /** The same for every attempt and replay, so it identifies duplicates. */
  readonly id: string;
  readonly timestamp: Date;
  /** Grows with every event of the account. Not signed. */
  readonly sequence: number;
  /** Not signed. */
  readonly attempt: number;
  /** The record of a test event does not exist. */
  readonly isTest: boolean;
  /** Ids of the account and the webhook. */
  readonly account: string;
  readonly webhook: string;
  /** The one of `keys` that signed it. */
  readonly key: string;
  /** Not signed. */
  readonly cause: Cause;
  /** Whether the client with this id caused it: an application’s client id, or `token.id` of `/v1/me`. */
  readonly causedBy: (id: string) => boolean;
}

export interface Cause {
  readonly type: components['schemas']['Event']['cause']['type'];
  readonly clientId: string | undefined;
  readonly agentId: string | undefined;
}

/** Checking `kind` narrows the type of `record`. */
export type WebhookEvent = { [K in EventKind]: EventOf<K> }[EventKind];

export interface WebhookRequest {
  /** The raw bytes: a body that was parsed and serialised again has another signature. */
  readonly body: string | Uint8Array;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface VerifyOptions {
  /** `whsec_…` of each webhook with this URL, and `whpk_…` for asymmetric signatures. One has to match. */
  readonly keys: string | readonly string[];
  /** How far the clocks may differ. Default: 300. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
}

/** The signature does not match, or the request is too old. Respond with 400 or 401. */
export class InvalidWebhook extends Error {
  override readonly name = 'InvalidWebhook';
}

/**
 * Returns the event if the request is signed with one of the keys. Demands `dw1` or `dw1a`: the signatures of Standard
 * Webhooks (`v1` and `v1a`) do not cover the headers, so an attacker who sees a request could relabel it.
 */
export async function verifyWebhook(request: WebhookRequest, options: VerifyOptions): Promise<WebhookEvent> {
  const header = readerOf(request.headers);
  const timestamp = header('webhook-timestamp');
  const { body } = request;
  checkAge(timestamp, options);
  const signed = await new Blob([signedHead(header), body as BlobPart]).arrayBuffer();
  const key = await signingKey(signed, signaturesIn(header('webhook-signature')), [options.keys].flat());
  if (key === undefined) throw new InvalidWebhook('No signature of the request fits one of the keys.');
  const cause = causeOf(header);
  const event: object = {
    kind: header('webhook-event'),
    record: JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as unknown,
    id: header('webhook-id'),
    timestamp: new Date(Number(timestamp) * 1000),
    sequence: Number(header('webhook-sequence')),
    attempt: Number(header('webhook-attempt')),
    isTest: header('webhook-test', 'false') === 'true',
    account: header('webhook-account'),
    webhook: header('webhook-endpoint'),
    key,
    cause,
    causedBy: (client: string) => cause.clientId === client,
  };
  return event as WebhookEvent;
}

type HeaderReader = (name: string, absent?: string) => string;

const SIGNED = ['id', 'timestamp', 'event', 'test', 'account', 'endpoint'];

/** The text of `dw1` before the body, for the sender and the receiver. */
export const signedHead = (header: HeaderReader): string =>
  ['dw1', ...SIGNED.map((name) => header(`webhook-${name}`, name === 'test' ? 'false' : undefined)), ''].join('\n');

const causeOf = (header: HeaderReader): Cause => ({
  type: header('webhook-cause', 'system') as Cause['type'],
  clientId: header('webhook-cause-client', '') || undefined,
  agentId: header('webhook-cause-agent', '') || undefined,
});

function readerOf(headers: WebhookRequest['headers']): HeaderReader {
  const all = new Headers();
  for (const [name, value] of headers instanceof Headers ? headers : Object.entries(headers))
    if (value !== undefined) all.set(name, [value].flat().join(', '));
  return (name, absent) => {
    const value = all.get(name) ?? absent;
    if (value === undefined) throw new InvalidWebhook(`The request has no header ${name}.`);
    return value;
  };
}

function checkAge(timestamp: string, { toleranceSeconds = 300, now = new Date() }: VerifyOptions): void {
  const ageSeconds = now.getTime() / 1000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(ageSeconds) > toleranceSeconds)
    throw new InvalidWebhook('The request is too old, or the clock of this machine is wrong.');
}

type Signature = readonly [version: string, base64: string];

function signaturesIn(header: string): Signature[] {
  const found = header.split(' ').flatMap((one): Signature[] => {
    const [version, base64 = ''] = one.split(',');
    return version === 'dw1' || version === 'dw1a' ? [[version, base64]] : [];
  });
  if (found.length === 0)
    throw new InvalidWebhook('webhook-signature has no entry dw1 or dw1a, so the kind of the event is not signed.');
  return found;
}

async function signingKey(signed: ArrayBuffer, signatures: Signature[], keys: readonly string[]) {
  const checks = signatures.flatMap(([version, base64]) => {
    const fitting = keys.filter((key) => key.startsWith('whpk_') === (version === 'dw1a'));
    return fitting.map(async (key) => ((await fits(key, base64, signed)) ? key : undefined));
  });
  return (await Promise.all(checks)).find((key) => key !== undefined);
}

/** WebCrypto compares in constant time. */
async function fits(key: string, signature: string, signed: ArrayBuffer): Promise<boolean> {
  const isPublic = key.startsWith('whpk_');
  const algorithm = isPublic ? { name: 'Ed25519' } : { name: 'HMAC', hash: 'SHA-256' };
  const secret = fromBase64(key.replace(/^wh(sec|pk)_/, ''));
  const imported = await crypto.subtle.importKey('raw', secret, algorithm, false, ['verify']);
  return crypto.subtle.verify(algorithm, imported, bytesOf(signature), signed);
}

/** Invalid Base64 becomes a signature that never matches. */
function bytesOf(signature: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(signature);
  } catch {
    return new Uint8Array();
  }
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
