import { uuidAt } from '#libs/database';
import { readSettings } from '#libs/settings';
import fastify from 'fastify';
import { Pool } from 'pg';
import { createApi } from '../../apps/api/src/create-api.js';
import { type RecordedStatement, recordStatements, withFreshIds } from './recording.js';

/**
 * The baseline: bare Fastify and pg handlers that run the statements recorded from the product for the same request,
 * and return the same text. No validation, entities or payloads.
 */
const [token = '', ticketsText = '50'] = process.argv.slice(2);
const tickets = Number(ticketsText);
const settings = readSettings({ ...process.env, LOG_LEVEL: 'silent' });
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

interface Recording {
  readonly statements: readonly RecordedStatement[];
  readonly body: string;
  readonly since: number;
}

const api = await createApi(settings);
await api.listen(0, '127.0.0.1');
const base = await api.getUrl();

async function record(method: string, path: string, body?: string): Promise<Recording> {
  const since = Date.now();
  let text = '';
  const statements = await recordStatements(async () => {
    text = await (await fetch(new URL(path, base), { method, headers, ...(body && { body }) })).text();
  });
  return { statements: statements.filter(({ text: sql }) => !/pg_notify|last_used_at =/.test(sql)), body: text, since };
}

const posts: Recording[] = [];
const reads: Recording[] = [];
// Runs twice, because statements that a process runs only on first use are not part of a request.
for (const list of [[], posts])
  for (let number = 1; number <= tickets; number++)
    list.push(
      await record('POST', `/v1/tickets/${number}/messages`, JSON.stringify({ body: 'Thank you, that helped.' })),
    );
for (const list of [[], reads])
  for (let number = 1; number <= tickets; number++) list.push(await record('GET', `/v1/tickets/${number}`));
await api.close();

const pool = new Pool({ connectionString: settings.DATABASE_URL, max: settings.DATABASE_POOL_SIZE });

async function replay({ statements, since }: Recording): Promise<void> {
  const ids = new Map<string, string>();
  const fresh = (id: string): string => {
    const known = ids.get(id) ?? uuidAt(new Date());
    ids.set(id, known);
    return known;
  };
  const client = await pool.connect();
  try {
    for (const statement of statements)
      await client.query({ ...statement, values: withFreshIds(statement.values, fresh, since) });
  } finally {
    client.release();
  }
}

const server = fastify();
let turn = 0;
const next = <T>(list: readonly T[]): T => list[turn++ % list.length]!;
const answer = async (recording: Recording, statements = recording.statements): Promise<string> => {
  await replay({ ...recording, statements });
  return recording.body;
};
server.addHook(
  'onSend',
  async (_request, reply) => void reply.header('content-type', 'application/json; charset=utf-8'),
);
server.post('/post', () => answer(next(posts)));
server.get('/read', () => answer(next(reads)));
/** The same without the token lookup. */
server.get('/open', () => {
  const recording = next(reads);
  return answer(
    recording,
    recording.statements.filter(({ name }) => name !== 'bearer_find'),
  );
});
const address = await server.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(
  `${JSON.stringify({ address, perPost: posts[0]?.statements.length, perRead: reads[0]?.statements.length })}\n`,
);
