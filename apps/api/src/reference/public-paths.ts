import { SERVED_TYPES } from '#libs/entities';
import { type JsonSchema, objectOf, ref } from '#libs/payloads';
import { parameter } from './operation.js';
import { problemRefs, textHeader } from './responses.js';

// Routes outside /v1 need no token and have no @ApiOperation, so they are described here.

const bytes = (description: string, headers: Readonly<Record<string, object>>) => ({
  description,
  headers: { ETag: { $ref: '#/components/headers/ETag' }, 'Accept-Ranges': textHeader('Always `bytes`.'), ...headers },
  content: Object.fromEntries(SERVED_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
});

/** The address itself is the credential. */
export const DOWNLOAD_PATHS = {
  '/downloads/{id}': {
    get: {
      operationId: 'downloads-read',
      'x-example-path': '/downloads/0199f3aa-5c20-7000-8000-000000000020?pass=Zm9yIHlvdQ',
      summary: 'Download a file, by the address that its attachment gives',
      tags: ['attachments'],
      security: [],
      parameters: [
        parameter({ name: 'id', in: 'path', required: true, description: 'Of the attachment.' }),
        parameter({ name: 'pass', in: 'query', required: true, description: 'Part of the address.' }),
        parameter({
          name: 'Range',
          in: 'header',
          description: 'Only these bytes, such as `bytes=1000-`. One range.',
        }),
        parameter({
          name: 'If-Range',
          in: 'header',
          description: 'The range only if the file still has this ETag; else all of it.',
        }),
        parameter({ name: 'If-None-Match', in: 'header', description: 'Answers 304 if the file has this ETag.' }),
      ],
      responses: {
        200: bytes('All bytes.', {}),
        206: bytes('The bytes of the range.', { 'Content-Range': textHeader('Which, and of how many.') }),
        304: { description: 'Unchanged since it was read with this ETag.' },
        ...problemRefs(400, 403, 404, 405, 414, 416, 431, 503),
      },
    },
  },
};

const constant = (value: string): JsonSchema => ({ type: 'string', const: value });
const flag: JsonSchema = { type: 'boolean' };

export const PUBLIC_SCHEMAS = {
  Alive: objectOf({ status: constant('ok') }),
  Ready: objectOf({
    status: constant('ok'),
    checks: objectOf({ database: flag, migrations: flag, warming: flag, stopping: flag }),
    queue: { type: 'string', enum: ['redis', 'postgresql'], description: 'What carries deliveries to the workers.' },
  }),
  KeySet: objectOf({ keys: { type: 'array', items: ref('Key') } }),
  Key: objectOf({
    kty: constant('OKP'),
    crv: constant('Ed25519'),
    use: constant('sig'),
    alg: constant('EdDSA'),
    kid: { type: 'string', description: 'One of those in `webhook-key-id`.' },
    x: { type: 'string', description: 'The public key, in base64url.' },
    whpk: { type: 'string', description: 'The same for libraries of Standard Webhooks.' },
  }),
} as const satisfies Record<string, JsonSchema>;

const KEY_SET_EXAMPLE = {
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      use: 'sig',
      alg: 'EdDSA',
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      whpk: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    },
  ],
};

export const KEY_PATHS = {
  '/.well-known/webhooks-keys.json': {
    get: {
      operationId: 'webhooks-keys',
      summary: 'Read the public keys that sign deliveries as v1a (RFC 7517, RFC 8037)',
      tags: ['webhooks'],
      security: [],
      parameters: [
        parameter({
          name: 'account',
          in: 'query',
          description:
            'Id of the account, as `keys_url` of its webhooks has it. Not needed where there is one account.',
          schema: { type: 'string', format: 'uuid' },
        }),
      ],
      responses: {
        200: {
          description: 'Those that sign now.',
          content: { 'application/jwk-set+json': { schema: ref('KeySet'), example: KEY_SET_EXAMPLE } },
        },
        ...problemRefs(400, 405, 422, 431, 503),
      },
    },
  },
};

const HEALTH_EXAMPLES = {
  Alive: { status: 'ok' },
  Ready: {
    status: 'ok',
    checks: { database: true, migrations: true, warming: false, stopping: false },
    queue: 'redis',
  },
};

const healthy = (description: string, name: keyof typeof HEALTH_EXAMPLES) => ({
  description,
  content: { 'application/json': { schema: ref(name), example: HEALTH_EXAMPLES[name] } },
});

export const HEALTH_PATHS = {
  '/healthz': {
    get: {
      operationId: 'health-alive',
      summary: 'Ask whether the API is alive',
      tags: ['health'],
      security: [],
      responses: { 200: healthy('It is.', 'Alive'), ...problemRefs(405, 431) },
    },
  },
  '/readyz': {
    get: {
      operationId: 'health-ready',
      summary: 'Ask whether the API can work: its database answers and has all migrations, and it is warm',
      tags: ['health'],
      security: [],
      responses: { 200: healthy('It can.', 'Ready'), ...problemRefs(405, 431, 503) },
    },
  },
} as const;
