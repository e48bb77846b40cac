import { readSettings } from '#libs/settings';
import { Client, Pool } from 'pg';
import { Agent, request } from 'undici';
import { BARE_CHANNEL } from './bare-tables.js';

/** Second half of the bare pipeline: listen, select, POST to each receiver, delete. Its arguments are the receivers. */
const receivers = process.argv.slice(2);
const settings = readSettings({ ...process.env, LOG_LEVEL: 'silent' });
const pool = new Pool({ connectionString: settings.DATABASE_URL, max: settings.DATABASE_POOL_SIZE });
const dispatcher = new Agent({ connections: 100 });
const headers = { 'content-type': 'application/json; charset=utf-8' };

const SELECT = {
  name: 'bare_select',
  text: 'select id, payload from bare_outbox where id <> all($1::bigint[]) order by id',
};
const DELETE = { name: 'bare_delete', text: 'delete from bare_outbox where id = $1' };

const inHand = new Set<string>();
let looking = false;
let again = false;

async function look(): Promise<void> {
  again = true;
  if (looking) return;
  looking = true;
  while (again) {
    again = false;
    const { rows } = await pool.query<{ id: string; payload: string }>({ ...SELECT, values: [[...inHand]] });
    for (const { id, payload } of rows) void deliver(id, payload);
  }
  looking = false;
}

async function deliver(id: string, payload: string): Promise<void> {
  inHand.add(id);
  await Promise.all(receivers.map((url) => post(url, payload)));
  await pool.query({ ...DELETE, values: [id] });
  inHand.delete(id);
}

async function post(url: string, body: string): Promise<void> {
  const answer = await request(url, { method: 'POST', headers, body, dispatcher });
  await answer.body.dump();
}

const listener = new Client({ connectionString: settings.DATABASE_URL });
await listener.connect();
listener.on('notification', () => void look());
await listener.query(`listen ${BARE_CHANNEL}`);
process.stdout.write(`${JSON.stringify({ listening: true })}\n`);
