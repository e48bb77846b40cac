import { type JsonSchema, objectOf } from '#libs/payloads';
import { problemRef } from './problem-responses.js';

const flag: JsonSchema = { type: 'boolean' };

const FIELDS = {
  status: { type: 'string', const: 'ok' },
  checks: objectOf({ database: flag, migrations: flag }),
  queue: { type: 'string', enum: ['redis', 'postgresql'], description: 'What carries deliveries to the workers.' },
} as const satisfies Record<string, JsonSchema>;

const jsonResponse = (description: string, ...required: (keyof typeof FIELDS)[]) => {
  const properties = Object.fromEntries(required.map((name) => [name, FIELDS[name]]));
  return { description, content: { 'application/json': { schema: objectOf(properties) } } };
};

/** For whatever starts and monitors the API. They need no token. */
export const HEALTH_PATHS = {
  '/healthz': {
    get: {
      operationId: 'health-alive',
      summary: 'Ask whether the API is alive',
      tags: ['health'],
      security: [],
      responses: { 200: jsonResponse('It is.', 'status'), 431: problemRef(431) },
    },
  },
  '/readyz': {
    get: {
      operationId: 'health-ready',
      summary: 'Ask whether the API can work: its database answers and has all migrations, and it is warm',
      tags: ['health'],
      security: [],
      responses: {
        200: jsonResponse('It can.', 'status', 'checks', 'queue'),
        431: problemRef(431),
        503: problemRef(503),
      },
    },
  },
} as const;
