import {
  AUTHENTICATION_TYPES,
  DISABLED_REASONS,
  SIGNATURE_VERSIONS,
  WEBHOOK_STATES,
  type Webhook,
} from '#libs/entities';
import { kindSchema } from './event.payload.js';
import * as json from './json-schema.js';
import type { Links } from './links.js';
import { fieldsOf, recordPayload } from './record-payload.js';

export interface WebhookStatistics {
  readonly from: Date;
  readonly to: Date;
  readonly total: Readonly<Record<'delivered' | 'retried' | 'givenUp' | 'longestMs', number>>;
  readonly cancelled: number;
  readonly successRate: number | null;
  readonly averageMs: number | null;
  readonly pending: { readonly count: number; readonly hasMore: boolean };
  readonly oldestDueAt: Date | null;
}

const NUMBER_OR_NULL: json.JsonSchema = { type: ['number', 'null'], minimum: 0 };
const AVERAGE = { ...NUMBER_OR_NULL, description: 'Average of all attempts.' };
const SLOWEST = { ...NUMBER_OR_NULL, description: 'The slowest attempt.' };

export const webhookStatisticsPayload = recordPayload<WebhookStatistics>('How the deliveries of a webhook went.', {
  from: [json.timeOf('Start of the time that is counted.'), 'from'],
  to: [json.timeOf('End of the time that is counted: now.'), 'to'],
  delivered: [json.countOf('Attempts that succeeded.'), ({ total }) => total.delivered],
  failed_attempts: [json.countOf('Attempts that failed.'), ({ total }) => total.retried + total.givenUp],
  exhausted: [json.countOf('Failed attempts after which the delivery was given up.'), ({ total }) => total.givenUp],
  cancelled: [json.countOf('Of the newest 10,000 deliveries created in this time, those cancelled.'), 'cancelled'],
  success_rate: [
    { ...NUMBER_OR_NULL, maximum: 1, description: 'Share of attempts that succeeded. Null without attempts.' },
    'successRate',
  ],
  response_ms: [
    json.objectOf({ average: AVERAGE, slowest: SLOWEST }, 'Milliseconds until the response. Null without attempts.'),
    ({ averageMs, total }) => ({ average: averageMs, slowest: averageMs === null ? null : total.longestMs }),
  ],
  pending: [json.countOf('Deliveries that wait now, also those created before.'), ({ pending }) => pending.count],
  pending_capped: [json.flag('True if there may be more: counting stopped.'), ({ pending }) => pending.hasMore],
  oldest_due_at: [json.timeOrNull('Since when, or when, the first of them is due.'), 'oldestDueAt'],
});

const secretText = json.text('`whsec_` followed by base64: 32 random bytes, or the secret you supplied.');

const SCHEME = json.oneOf(AUTHENTICATION_TYPES, 'The scheme.');
const AUTHENTICATION = json.objectOf({ type: SCHEME }, 'How deliveries authenticate. Credentials are never shown.');

/** Section 2.2 of the specification in its order, then our own fields. Without the secret. */
export const webhookPayload = recordPayload<Webhook>('A subscription to one kind of event.', {
  event: [kindSchema, 'event'],
  url: [json.text('URL that receives the events, exactly as registered.'), 'url'],
  state: [
    json.oneOf(WEBHOOK_STATES, '`paused`: events wait. `disabled`: they are not kept; see `disabled_reason`.'),
    'state',
  ],
  id: [json.id, 'id'],
  href: [json.href, (webhook, links) => links.record('webhooks', webhook.id)],
  created_at: [json.createdAt, 'createdAt'],
  updated_at: [json.updatedAt, 'updatedAt'],
  disabled_reason: [
    json.oneOfOrNull(
      DISABLED_REASONS,
      '`gone`: it returned 410. `failing`: all failed for five days. `access_revoked`: the access that made it ended. `operator`: by the operator.',
    ),
    'disabledReason',
  ],
  application: [
    json.nullableText('Name of the application that created it. Null if an agent did.'),
    ({ application }) => application?.name,
  ],
  signatures: [
    json.listOf(json.oneOf(SIGNATURE_VERSIONS), 'Signature versions of its deliveries.'),
    ({ publiclySigned }) => SIGNATURE_VERSIONS.filter((version) => version === 'v1' || publiclySigned),
  ],
  name: [json.nullableText('The name that its maker gave it.'), 'name'],
  filter: [json.nullableText('Only events of tickets that match it are sent. Null for all.'), 'filter'],
  headers: [
    json.listOf(json.string, 'Names of the headers that you added. Their values are never shown.'),
    'headerNames',
  ],
  authentication: [{ ...AUTHENTICATION, type: ['object', 'null'] }, ({ authenticationType: type }) => type && { type }],
  keys_url: [
    { ...json.nullableText('URL of the public keys for `v1a` and `dw1a` (JWKS).'), format: 'uri' },
    ({ id, publiclySigned }, links) => (publiclySigned ? links.webhookKeys(id) : null),
  ],
});

export const newWebhookPayload = recordPayload<{ readonly webhook: Webhook; readonly secret: string }>(
  'A new webhook with its signing secret.',
  { ...fieldsOf(webhookPayload, ({ webhook }) => webhook), secret: [secretText, 'secret'] },
);

/** `changed` names the fields of the request that made a difference. A new webhook has its secret. */
export interface EnsuredWebhook {
  readonly webhook: Webhook;
  readonly secret?: string;
  readonly changed: readonly string[];
}

const { schema: newWebhook } = newWebhookPayload;

export const ENSURED_WEBHOOK = json.objectOf({
  webhook: {
    ...newWebhook,
    description: 'The webhook. Only a new one has a `secret`.',
    required: newWebhook.required.filter((name) => name !== 'secret'),
  },
  created: json.flag('True if the webhook is new.'),
  changed: json.listOf(json.string, 'Names of the fields of the request that differed.'),
});

export const ensuredPayload = ({ webhook, secret, changed }: EnsuredWebhook, links: Links) => ({
  webhook: secret === undefined ? webhookPayload(webhook, links) : newWebhookPayload({ webhook, secret }, links),
  created: secret !== undefined,
  changed,
});

export interface LiveSecret {
  readonly secret: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

export const webhookSecretPayload = recordPayload<LiveSecret>('A secret that signs deliveries.', {
  secret: [secretText, 'secret'],
  created_at: [json.createdAt, 'createdAt'],
  expires_at: [
    json.timeOrNull('When a replaced secret expires. Until then, both secrets sign. Null for the current one.'),
    'expiresAt',
  ],
});
