import { uuidAt } from '#libs/database';
import { type SignatureVersion, Webhook } from '#libs/entities';
import type { Filtering } from './webhook-filter.js';
import type { WantedHeaders } from './webhook-headers.js';
import type { WebhookOwner } from './webhook-owner.js';
import { registrationKey } from './webhook-validator.js';

export interface WebhookOptions extends WantedHeaders, Pick<Filtering, 'filter'> {
  readonly name?: string | null | undefined;
  readonly state?: 'active' | 'paused' | undefined;
  readonly signatures?: readonly SignatureVersion[] | undefined;
}

type Draft = WebhookOptions & Pick<Webhook, 'event' | 'url' | 'requestId'> & { readonly key?: string };

export function newWebhook(
  { applicationId, agentId, grantId }: WebhookOwner,
  { event, url, requestId, key, name = null, state = 'active', signatures = [] }: Draft,
  now: Date,
): Webhook {
  const registration = { applicationId, agentId, event, url };
  return Object.assign(new Webhook(), registration, {
    id: uuidAt(now),
    grantId,
    requestId,
    name,
    key: key ?? null,
    registrationKey: registrationKey(registration),
    headerNames: [],
    authenticationType: null,
    headersId: null,
    publiclySigned: signatures.includes('v1a'),
    state,
    disabledReason: null,
    createdAt: now,
    updatedAt: now,
  });
}
