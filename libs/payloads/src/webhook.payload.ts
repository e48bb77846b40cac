import { WEBHOOK_STATES, type Webhook } from '#libs/entities';
import { kindSchema } from './event.payload.js';
import { type JsonSchema, address, id, nullableText, nullableTime, objectSchema, text, time } from './json-schema.js';
import type { Links } from './links.js';

/** The fields of section 2.2 of the specification in its order, then our own. The secret is not among them. */
export function webhookPayload(webhook: Webhook, links: Links) {
  return {
    event: webhook.event,
    url: webhook.url,
    state: webhook.state,
    id: webhook.id,
    href: links.record('webhooks', webhook.id),
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

export const webhookSchema = objectSchema<ReturnType<typeof webhookPayload>>('A subscription to one kind of event.', {
  event: kindSchema,
  url: address,
  state: { type: 'string', enum: WEBHOOK_STATES },
  id,
  href: address,
  created_at: time,
  updated_at: time,
  disabled_reason: { type: ['string', 'null'], enum: ['gone', 'failing', 'access_revoked', 'operator', null] },
  application: nullableText('Name of the application that made it; null when a person did.'),
});

export const newWebhookSchema: JsonSchema = {
  ...webhookSchema,
  description: 'A webhook that was just made, with the secret that signs what it is sent.',
  properties: { ...webhookSchema.properties, secret: text('`whsec_` and base64 of 32 bytes.') },
  required: [...(webhookSchema.required ?? []), 'secret'],
};

export const webhookSecretSchema = objectSchema<ReturnType<typeof webhookSecretPayload>>(
  'A secret that signs deliveries.',
  {
    secret: text('`whsec_` and base64 of 32 bytes.'),
    created_at: time,
    expires_at: { ...nullableTime, description: 'Set once a newer one has replaced it; both sign until then.' },
  },
);
