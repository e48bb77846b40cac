import { type JsonSchema, objectOf, ref } from '#libs/payloads';
import { problemRefs } from './problem-responses.js';

const flag: JsonSchema = { type: 'boolean' };
const isOk: JsonSchema = { type: 'string', const: 'ok' };

export const HEALTH_SCHEMAS = {
  Alive: objectOf({ status: isOk }),
  Ready: objectOf({
    status: isOk,
    checks: objectOf({ database: flag, migrations: flag, warming: flag, stopping: flag }),
    queue: { type: 'string', enum: ['redis', 'postgresql'], description: 'What carries deliveries to the workers.' },
  }),
} as const satisfies Record<string, JsonSchema>;

const EXAMPLES: Readonly<Record<keyof typeof HEALTH_SCHEMAS, unknown>> = {
  Alive: { status: 'ok' },
  Ready: {
    status: 'ok',
    checks: { database: true, migrations: true, warming: false, stopping: false },
    queue: 'redis',
  },
};

const answer = (description: string, name: keyof typeof HEALTH_SCHEMAS) => ({
  description,
  content: { 'application/json': { schema: ref(name), example: EXAMPLES[name] } },
});

/** For whatever starts and monitors the API. They need no token. */
export const HEALTH_PATHS = {
  '/healthz': {
    get: {
      operationId: 'health-alive',
      summary: 'Ask whether the API is alive',
      tags: ['health'],
      security: [],
      responses: { 200: answer('It is.', 'Alive'), ...problemRefs(405, 431) },
    },
  },
  '/readyz': {
    get: {
      operationId: 'health-ready',
      summary: 'Ask whether the API can work: its database answers and has all migrations, and it is warm',
      tags: ['health'],
      security: [],
      responses: {
        200: answer('It can.', 'Ready'),
        ...problemRefs(405, 431, 503),
      },
    },
  },
} as const;
