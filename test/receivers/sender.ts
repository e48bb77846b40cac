import { createSecureContext } from 'node:tls';
import type { AbandonedAttempt, AttemptOutcome } from '#libs/delivery';
import { AddressGuard, DnsResolver, GuardedNames, type NameResolver, type ResolveResult } from '#libs/address-guard';
import { DirectDialler, type PoolLimits } from '#libs/guarded-http';
import { WebhookClient } from '../../apps/worker/src/deliveries/sender/webhook-client.js';

/** A resolver with scripted answers: each lookup takes the next; the last one stays. */
export class ScriptedNames implements NameResolver {
  readonly questions: string[] = [];
  private readonly real = new DnsResolver(['127.0.0.1:1']);

  constructor(private readonly answers: Record<string, readonly (readonly string[])[]> = {}) {}

  async resolve(hostname: string): Promise<ResolveResult> {
    const earlier = this.questions.filter((question) => question === hostname).length;
    this.questions.push(hostname);
    const answers = this.answers[hostname];
    const addresses = answers?.[Math.min(earlier, answers.length - 1)];
    return addresses ? { kind: 'addresses', addresses } : this.real.resolve(hostname);
  }
}

export interface SenderOptions {
  readonly allowed?: readonly string[];
  readonly names?: NameResolver;
  readonly trusted?: readonly string[];
  readonly connectTimeoutMs?: number;
  readonly requireHttps?: boolean;
  readonly pool?: PoolLimits;
}

/** The real client, as in a worker, with short limits. */
export function aSender(options: SenderOptions = {}): WebhookClient {
  const {
    allowed = ['127.0.0.0/8', '::1/128'],
    names = new ScriptedNames(),
    trusted = [],
    connectTimeoutMs = 2_000,
    requireHttps = false,
    pool,
  } = options;
  const settings = {
    connectTimeoutMs,
    secureContext: createSecureContext(trusted.length > 0 ? { ca: [...trusted] } : {}),
  };
  const dialler = new DirectDialler(new GuardedNames(new AddressGuard(allowed), names), settings);
  return new WebhookClient(dialler, { requireHttps, ...(pool && { pool }) });
}

export function postTo(
  sender: WebhookClient,
  url: string,
  timeoutMs = 1_500,
): Promise<AttemptOutcome | AbandonedAttempt> {
  const body = Buffer.from('{"number":1}');
  return sender.post({
    url,
    headers: { 'content-type': 'application/json', 'webhook-event': 'ticket_started' },
    credentials: {},
    body,
    timeoutMs,
  });
}
