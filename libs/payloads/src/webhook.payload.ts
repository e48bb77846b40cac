import type { Webhook } from '#libs/entities';
import type { Links } from './links.js';

/** Section 2.2 of the specification first and in its order; ours after. The secret is not part of the record. */
export function webhookPayload(webhook: Webhook, links: Links) {
  return {
    event: webhook.event,
    url: webhook.url,
    state: webhook.state,
    id: webhook.id,
    href: links.webhook(webhook.id),
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
    disabled_reason: webhook.disabledReason,
    application: webhook.application?.name ?? null,
  };
}

export function webhookSecretPayload({ secret, createdAt, expiresAt }: LiveSecret) {
  return { secret, created_at: createdAt.toISOString(), expires_at: expiresAt?.toISOString() ?? null };
}

interface LiveSecret {
  readonly secret: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}
