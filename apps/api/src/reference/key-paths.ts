import { type JsonSchema, objectOf, ref } from '#libs/payloads';
import { problemRefs } from './problem-responses.js';

const word = (value: string): JsonSchema => ({ type: 'string', const: value });

export const KEY_SCHEMAS = {
  KeySet: objectOf({ keys: { type: 'array', items: ref('Key') } }),
  Key: objectOf({
    kty: word('OKP'),
    crv: word('Ed25519'),
    use: word('sig'),
    alg: word('EdDSA'),
    kid: { type: 'string', description: 'One of those in `webhook-key-id`.' },
    x: { type: 'string', description: 'The public key, in base64url.' },
    whpk: { type: 'string', description: 'The same for libraries of Standard Webhooks.' },
  }),
} as const satisfies Record<string, JsonSchema>;

const EXAMPLE = {
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

/** It needs no token: keys are public, and receivers have none. */
export const KEY_PATHS = {
  '/.well-known/webhooks-keys.json': {
    get: {
      operationId: 'webhooks-keys',
      summary: 'Read the public keys that sign deliveries as v1a (RFC 7517, RFC 8037)',
      tags: ['webhooks'],
      security: [],
      parameters: [
        {
          name: 'account',
          in: 'query',
          required: false,
          description:
            'Id of the account, as `keys_url` of its webhooks has it. Not needed where there is one account.',
          schema: { type: 'string', format: 'uuid' },
        },
      ],
      responses: {
        200: {
          description: 'Those that sign now.',
          content: { 'application/jwk-set+json': { schema: ref('KeySet'), example: EXAMPLE } },
        },
        ...problemRefs(400, 405, 422, 431, 503),
      },
    },
  },
};
