import { Redis } from 'ioredis';
import type { Client } from 'pg';
import { parentOf } from './cpu.js';

/** The postmaster, which starts a process for each connection. */
export async function postgresPid(sql: Client): Promise<number> {
  const { rows } = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
  return parentOf(rows[0]!.pid);
}

export async function redisPid(url: string): Promise<number> {
  const redis = new Redis(url);
  const info = await redis.info('server');
  redis.disconnect();
  return Number(/process_id:(\d+)/.exec(info)?.[1]);
}
