export interface Part {
  readonly code: readonly string[];
  /** Tests that must notice. They load the code into their own process: a change is not in dist. */
  readonly specs: readonly string[];
}

const LIMITS = 'apps/worker/src/deliveries/limits';
const ATTEMPT = 'apps/worker/src/deliveries/attempt';
const OAUTH = 'apps/api/src/layers/oauth';

export const PARTS = {
  'retry-policy': {
    code: ['libs/delivery/src/retry-policy.ts', 'libs/delivery/src/retry-after.ts'],
    specs: ['libs/delivery/src/retry-policy.spec.ts', 'libs/delivery/src/retry-after.spec.ts'],
  },
  signature: {
    code: ['libs/delivery/src/signature.ts'],
    specs: ['libs/delivery/src/signature.spec.ts'],
  },
  limiter: {
    code: [`${LIMITS}/*.ts`, `!${LIMITS}/*.spec.ts`, `!${LIMITS}/slow-receivers.service.ts`],
    specs: [`${LIMITS}/*.spec.ts`],
  },
  attempt: {
    code: [`${ATTEMPT}/*.ts`, `!${ATTEMPT}/*.spec.ts`],
    specs: [`${ATTEMPT}/*.spec.ts`, 'test/attempts/*.spec.ts'],
  },
  registration: {
    code: ['libs/webhooks/src/webhook{s.service,-headers,-secrets.service,-validator}.ts'],
    specs: [
      'test/api/webhooks/{webhooks,webhooks-by-key,webhook-headers,secret-rotation}.spec.ts',
      'test/api/webhooks/{duplicate-webhooks,several-webhooks,webhook-owners,webhook-secrets}.spec.ts',
    ],
  },
  'statement-batch': {
    code: ['libs/database/src/statement-batch.ts'],
    specs: ['test/faults/statement-batch.spec.ts'],
  },
  ledger: {
    code: ['libs/delivery/src/ledger/*.ts'],
    specs: ['test/ledger/*.spec.ts', 'test/attempts/attempt-recorder*.spec.ts'],
  },
  filters: {
    code: ['libs/filters/src/{filter,pieces,terms}.ts'],
    specs: ['libs/filters/src/filter.spec.ts'],
  },
  'redirect-uris': {
    code: ['libs/access/src/redirect-uris.ts'],
    specs: ['libs/access/src/redirect-uris.spec.ts'],
  },
  oauth: {
    code: [
      'libs/access/src/{tokens,grants}.service.ts',
      `${OAUTH}/authorization-request.ts`,
      `${OAUTH}/authorize.controller.tsx`,
    ],
    specs: [
      'test/oauth/{consent,repeated-consent,prompts,public-clients,resources,token-answers,deferred-check}.spec.ts',
      'test/oauth/{grant,redirect}-attacks.spec.ts',
    ],
  },
} satisfies Record<string, Part>;

export type PartName = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as PartName[];
