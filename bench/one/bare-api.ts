import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSettings } from '#libs/settings';
import { Pool } from 'pg';
import { BARE_CHANNEL } from './bare-tables.js';

/**
 * First half of the bare pipeline: a request, a transaction with two inserts and a notification, a response. It makes
 * the same promise as the product, to deliver what it accepted, and does nothing else.
 */
const settings = readSettings({ ...process.env, LOG_LEVEL: 'silent' });
const pool = new Pool({ connectionString: settings.DATABASE_URL, max: settings.DATABASE_POOL_SIZE });

const INSERT_MESSAGE = { name: 'bare_message', text: 'insert into bare_messages (body) values ($1)' };
const INSERT_EVENT = { name: 'bare_event', text: 'insert into bare_outbox (payload) values ($1)' };
const NOTIFY = { name: 'bare_notify', text: `select pg_notify('${BARE_CHANNEL}', '')` };

async function accept(text: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({ ...INSERT_MESSAGE, values: [text] });
    await client.query({ ...INSERT_EVENT, values: [JSON.stringify({ body: text })] });
    await client.query(NOTIFY);
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return (JSON.parse(Buffer.concat(chunks).toString('utf8')) as { body: string }).body;
}

const server = createServer((request, response) => {
  read(request)
    .then(accept)
    .then(
      () => response.writeHead(201).end('{}'),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
});

server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`),
);
