import { CAUSE_TYPES, SERVED_TYPES } from '#libs/entities';
import { EVENT_KINDS, type EventKind, type JsonSchema, type Links, json, ref, samplePayload } from '#libs/payloads';
import { inHeader, inPath, inQuery, publicOperation } from './operation.js';
import { pascal } from './generated-names.js';
import { NOT_MODIFIED, problemRefs, textHeader } from './responses.js';

// Requests that need no token have no @ApiOperation, so they are described here.

const REQUIRED = { required: true };

const WEBHOOK_HEADERS = [
  inHeader('webhook-id', 'Id of the event: the same for every attempt and every replay.', REQUIRED),
  inHeader('webhook-timestamp', 'Time of this attempt, in seconds since 1970.', REQUIRED),
  inHeader(
    'webhook-signature',
    'For each valid secret: `v1,` with the base64 HMAC-SHA256 of ID, timestamp and body, and `dw1,` with that of ID, timestamp, event, test, account, endpoint and body. Webhooks with public keys also get `v1a,` and `dw1a,` (Ed25519) for each key.',
    REQUIRED,
  ),
  inHeader('webhook-key-id', 'Key IDs of the `v1a` and `dw1a` signatures, in the same order, separated by spaces.'),
  inHeader('webhook-event', 'The kind of event. Signed in `dw1`, not in `v1`.', REQUIRED),
  inHeader('webhook-attempt', 'Number of the attempt, from 1. Not signed.', REQUIRED),
  inHeader('webhook-sequence', 'Increases with every event of the account; 0 for test events. Not signed.', REQUIRED),
  inHeader('webhook-account', 'Id of the account. Signed in `dw1`, not in `v1`.', REQUIRED),
  inHeader('webhook-endpoint', 'Id of the webhook. Signed in `dw1`, not in `v1`.', REQUIRED),
  inHeader('webhook-cause', `Who caused the event: ${CAUSE_TYPES.join(', ')}. Not signed.`, REQUIRED),
  inHeader('webhook-cause-client', 'Client id of the application, or id of the personal access token. Not signed.'),
  inHeader('webhook-cause-agent', 'The agent who acted, or for whom the client acted. Not signed.'),
  inHeader('traceparent', 'That of the API request that caused the event, if it had one.'),
  inHeader(
    'webhook-test',
    '`true` on a test event, whose records do not exist. Absent otherwise. Signed in `dw1`, not in `v1`.',
  ),
];

const RECEIVING =
  'Sent to each webhook for this kind of event. Verify the signature, respond within 15 seconds and process afterwards; the same event can arrive twice.';

export const eventWebhooks = (links: Links) =>
  Object.fromEntries(
    (Object.keys(EVENT_KINDS) as EventKind[]).map((kind) => [
      kind,
      {
        post: publicOperation(['events', `receive${pascal(kind)}`], EVENT_KINDS[kind].when, {
          description: RECEIVING,
          parameters: WEBHOOK_HEADERS,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: ref(EVENT_KINDS[kind].record), example: samplePayload(kind, links) },
            },
          },
          responses: {
            '2XX': { description: 'Received.' },
            410: { description: 'The receiver wants no more events: disables the webhook.' },
            default: { description: 'Deskwire retries later.' },
          },
        }),
      },
    ]),
  );

const constant = (value: string): JsonSchema => ({ ...json.text('Always this value.'), const: value });

export const PUBLIC_SCHEMAS = {
  Alive: json.objectOf({ status: constant('ok') }),
  Ready: json.objectOf({
    status: constant('ok'),
    checks: {
      description: 'The result of each check.',
      ...json.objectOf({
        database: json.flag('Whether the database responds.'),
        migrations: json.flag('Whether it has all migrations.'),
        warming: json.flag('Whether the process still warms up.'),
        stopping: json.flag('Whether the process is about to stop.'),
      }),
    },
    queue: json.oneOf(['redis', 'postgresql'], 'The queue for deliveries.'),
  }),
  KeySet: json.objectOf({ keys: json.listOf(ref('Key'), 'The keys, newest first.') }),
  Key: json.objectOf({
    kty: constant('OKP'),
    crv: constant('Ed25519'),
    use: constant('sig'),
    alg: constant('EdDSA'),
    kid: { type: 'string', description: 'Key ID, as in `webhook-key-id`.' },
    x: { type: 'string', description: 'The public key, in base64url.' },
    whpk: { type: 'string', description: 'The public key in the format of Standard Webhooks libraries.' },
  }),
} as const satisfies Record<string, JsonSchema>;

const READY = {
  status: 'ok',
  checks: { database: true, migrations: true, warming: false, stopping: false },
  queue: 'redis',
};

const KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  use: 'sig',
  alg: 'EdDSA',
  kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  whpk: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
};

const answer = (
  name: keyof typeof PUBLIC_SCHEMAS,
  description: string,
  example: object,
  type = 'application/json',
) => ({
  description,
  content: { [type]: { schema: ref(name), example } },
});

const bytes = (description: string, headers: Readonly<Record<string, object>> = {}) => ({
  description,
  headers: { ETag: { $ref: '#/components/headers/ETag' }, 'Accept-Ranges': textHeader('Always `bytes`.'), ...headers },
  content: Object.fromEntries(SERVED_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
});

export const PUBLIC_PATHS = {
  '/downloads/{id}': {
    get: publicOperation(['attachments', 'downloadFile'], 'Download a file by the `url` of its attachment', {
      'x-example-path': '/downloads/0199f3aa-5c20-7000-8000-000000000020?pass=Zm9yIHlvdQ',
      parameters: [
        inPath('id', 'Id of the attachment.', REQUIRED),
        inQuery('pass', 'Part of the attachment’s `url`.', REQUIRED),
        inHeader('Range', 'Requests only these bytes, such as `bytes=1000-`. Only one range is supported.'),
        inHeader('If-Range', 'Requests the range only if the file still has this ETag, otherwise the whole file.'),
        inHeader('If-None-Match', 'Returns 304 if the file has this ETag.'),
      ],
      responses: {
        200: bytes('All bytes.'),
        206: bytes('The bytes of the range.', { 'Content-Range': textHeader('The range, and the size of the file.') }),
        ...NOT_MODIFIED,
        ...problemRefs(400, 403, 404, 405, 414, 416, 431, 503),
      },
    }),
  },
  '/.well-known/webhooks-keys.json': {
    get: publicOperation(['webhooks', 'readWebhookKeys'], 'Read the public keys that sign deliveries as v1a', {
      'x-example-path': '/.well-known/webhooks-keys.json?webhook=0199f3aa-5c20-7000-8000-000000000009',
      parameters: [
        inQuery('webhook', 'Id of the webhook, as in its `keys_url`.', {
          required: true,
          schema: { type: 'string', format: 'uuid' },
        }),
      ],
      responses: {
        200: answer('KeySet', 'The current keys.', { keys: [KEY] }, 'application/jwk-set+json'),
        ...problemRefs(400, 405, 422, 431, 503),
      },
    }),
  },
  '/healthz': {
    get: publicOperation(['health', 'checkLiveness'], 'Check whether the API is alive', {
      responses: { 200: answer('Alive', 'The API is alive.', { status: 'ok' }), ...problemRefs(405, 431) },
    }),
  },
  '/readyz': {
    get: publicOperation(['health', 'checkReadiness'], 'Check whether the API is ready', {
      responses: { 200: answer('Ready', 'The API is ready.', READY), ...problemRefs(405, 431, 503) },
    }),
  },
} as const;
