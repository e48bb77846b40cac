import { AddressGuard, DnsResolver } from '#libs/address-guard';
import type { Settings } from '#libs/settings';
import { newSecureContext } from './dial-attempt.js';
import { DirectDialler } from './dialler.js';
import { ProxyDialler } from './proxy-dialler.js';
import { WebhookClient } from './webhook-client.js';

const CONNECT_TIMEOUT_MS = 5_000;

export function newWebhookClient(settings: Settings): WebhookClient {
  const guard = new AddressGuard(settings.WEBHOOK_ALLOWED_NETWORKS);
  const dialling = { connectTimeoutMs: CONNECT_TIMEOUT_MS, secureContext: newSecureContext() };
  const dialler = settings.WEBHOOK_PROXY_URL
    ? new ProxyDialler(new URL(settings.WEBHOOK_PROXY_URL), guard, dialling)
    : new DirectDialler(guard, new DnsResolver(), dialling);
  return new WebhookClient(dialler, { requireHttps: settings.WEBHOOK_REQUIRE_HTTPS });
}
