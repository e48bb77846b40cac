import { createHmac } from 'node:crypto';
import { styleText } from 'node:util';
import type { components } from '../openapi.js';
import { signedHead } from '../verify-webhook.js';

export interface FeedEvent extends Readonly<components['schemas']['Event']> {
  readonly test?: boolean;
}

export type Signer = { readonly id: string; readonly secrets: readonly string[] };

/** As long as a delivery may take. */
const TIMEOUT_MS = 15_000;

/** Posts an event as Deskwire would, without following redirects, and prints the outcome. */
export async function forward(url: string, event: FeedEvent, signer: Signer): Promise<'accepted' | 'failed' | 'down'> {
  const body = JSON.stringify(event.payload);
  const headers = headersOf(event, signer.id);
  headers.set('webhook-signature', signatures(headers, body, signer.secrets));
  const startedAt = performance.now();
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal });
    await response.arrayBuffer();
    return print(event, response.ok, `${response.status} in ${Math.round(performance.now() - startedAt)} ms`);
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as { code?: unknown; message: string };
    return code === 'ECONNREFUSED' ? 'down' : print(event, false, `failed: ${message}`);
  }
}

const headersOf = ({ id, event, sequence, test, account, cause }: FeedEvent, webhookId: string): Headers =>
  new Headers({
    'user-agent': 'Deskwire-Webhooks/listen',
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
    'webhook-event': event,
    'webhook-attempt': '1',
    'webhook-sequence': `${sequence}`,
    ...(test && { 'webhook-test': 'true' }),
    'webhook-account': account.id,
    'webhook-endpoint': webhookId,
    'webhook-cause': cause.type,
    ...(cause.client_id && { 'webhook-cause-client': cause.client_id }),
    ...(cause.agent_id && { 'webhook-cause-agent': cause.agent_id }),
  });

function signatures(headers: Headers, body: string, secrets: readonly string[]): string {
  const header = (name: string, absent = ''): string => headers.get(name) ?? absent;
  const heads = { v1: `${header('webhook-id')}.${header('webhook-timestamp')}.`, dw1: signedHead(header) };
  const entries = Object.entries(heads).flatMap(([version, head]) =>
    secrets.map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      return `${version},${createHmac('sha256', key).update(head).update(body).digest('base64')}`;
    }),
  );
  return entries.join(' ');
}

function print({ id, event, payload }: FeedEvent, isAccepted: boolean, outcome: string): 'accepted' | 'failed' {
  const number = payload['number'] ?? payload['ticket_number'];
  const subject = number === undefined ? id : `#${JSON.stringify(number)} ${id}`;
  const words = process.stdout.isTTY ? styleText(isAccepted ? 'green' : 'red', outcome) : outcome;
  process.stdout.write(`${new Date().toTimeString().slice(0, 8)} ${event} ${subject} ${words}\n`);
  return isAccepted ? 'accepted' : 'failed';
}
