import { SIGNATURE_VERSIONS, WEBHOOK_STATES, type Webhook } from '#libs/entities';
import { kindSchema } from './event.payload.js';
import * as json from './json-schema.js';
import { fieldsOf, recordPayload } from './record-payload.js';

const secretText = json.text('`whsec_` and base64, of 32 bytes unless it was brought along.');

/** Section 2.2 of the specification in its order, then our own fields. Without the secret. */
export const webhookPayload = recordPayload<Webhook>('A subscription to one kind of event.', {
  event: [kindSchema, 'event'],
  url: [json.text('Where the events are sent, as it was given.'), 'url'],
  state: [json.oneOf(WEBHOOK_STATES), 'state'],
  id: [json.id, 'id'],
  href: [json.address, (webhook, links) => links.record('webhooks', webhook.id)],
  created_at: [json.time, 'createdAt'],
  updated_at: [json.time, 'updatedAt'],
  disabled_reason: [json.oneOfOrNull(['gone', 'failing', 'access_revoked', 'operator']), 'disabledReason'],
  application: [
    json.nullableText('Name of the application that made it; null when a person did.'),
    ({ application }) => application?.name,
  ],
  signatures: [
    json.listOf(json.oneOf(SIGNATURE_VERSIONS), 'What its deliveries are signed with.'),
    ({ publiclySigned }) => SIGNATURE_VERSIONS.filter((version) => version === 'v1' || publiclySigned),
  ],
  keys_url: [
    { ...json.nullableText('Where the public keys for `v1a` and `dw1a` are (JWKS).'), format: 'uri' },
    ({ id, publiclySigned }, links) => (publiclySigned ? links.webhookKeys(id) : null),
  ],
});

export const newWebhookPayload = recordPayload<{ readonly webhook: Webhook; readonly secret: string }>(
  'A webhook that was just made, with the secret that signs what it is sent.',
  { ...fieldsOf(webhookPayload, ({ webhook }) => webhook), secret: [secretText, 'secret'] },
);

export interface LiveSecret {
  readonly secret: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

export const webhookSecretPayload = recordPayload<LiveSecret>('A secret that signs deliveries.', {
  secret: [secretText, 'secret'],
  created_at: [json.time, 'createdAt'],
  expires_at: [json.timeOrNull('Set once a newer one has replaced it; both sign until then.'), 'expiresAt'],
});
