import { styleText } from 'node:util';
import { signWebhook } from './sign-webhook.js';

export interface FeedEvent {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly test?: boolean;
  readonly account: { readonly id: string };
  readonly cause: { readonly type: string; readonly client_id?: string; readonly agent_id?: string };
}

export type Signer = { readonly id: string; readonly secrets: readonly string[] };

/** As long as a delivery may take. */
const TIMEOUT_MS = 15_000;

/** Posts an event as Deskwire would, without following redirects, and prints the outcome. */
export async function forward(url: string, event: FeedEvent, signer: Signer): Promise<'accepted' | 'failed' | 'down'> {
  const body = JSON.stringify(event.payload);
  const headers = headersOf(event, signer.id);
  headers.set('webhook-signature', signWebhook(headers, body, signer.secrets));
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

function headersOf({ id, event, sequence, test, account, cause }: FeedEvent, webhookId: string): Headers {
  const headers = {
    'user-agent': 'Deskwire-Webhooks/listen',
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
    'webhook-event': event,
    'webhook-attempt': '1',
    'webhook-sequence': `${sequence}`,
    'webhook-test': test === true ? 'true' : undefined,
    'webhook-account': account.id,
    'webhook-endpoint': webhookId,
    'webhook-cause': cause.type,
    'webhook-cause-client': cause.client_id,
    'webhook-cause-agent': cause.agent_id,
  };
  return new Headers(Object.entries(headers).filter((one): one is [string, string] => one[1] !== undefined));
}

function print({ id, event, payload }: FeedEvent, isAccepted: boolean, outcome: string): 'accepted' | 'failed' {
  const number = payload['number'] ?? payload['ticket_number'];
  const subject = number === undefined ? id : `#${JSON.stringify(number)} ${id}`;
  const words = process.stdout.isTTY ? styleText(isAccepted ? 'green' : 'red', outcome) : outcome;
  process.stdout.write(`${new Date().toTimeString().slice(0, 8)} ${event} ${subject} ${words}\n`);
  return isAccepted ? 'accepted' : 'failed';
}
