import type { RedisProgram } from '../../apps/launcher/src/redis/program.js';

/** A server of one test alone, which may be broken without affecting others. */
export interface PrivateServer {
  readonly url: string;
  kill9(): Promise<void>;
  restart(): Promise<void>;
  pause(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** Requests another server from the launcher, which started the test run. */
export async function startServer(kind: 'postgres' | 'redis', { durable = false } = {}): Promise<PrivateServer> {
  const { id, url } = (await command(`${kind}/spawn?durable=${durable ? 'yes' : 'no'}`)) as { id: string; url: string };
  const act = (what: string) => command(`${id}/${what}`).then(() => undefined);
  return {
    url,
    kill9: () => act('kill9'),
    restart: () => act('restart'),
    pause: (ms) => act(`pause?ms=${ms}`),
    stop: () => act('stop'),
  };
}

/** The launcher's Redis program, for servers in other topologies. */
export function redisProgram(): Promise<RedisProgram> {
  return command('redis/program') as Promise<RedisProgram>;
}

async function command(path: string): Promise<unknown> {
  const control = process.env['DESKWIRE_TEST_SERVERS'];
  if (!control) throw new Error('Servers are started by the launcher: run the tests with `npm test -- <path>`.');
  const answer = await fetch(new URL(path, `${control.replace(/\/$/, '')}/`), { method: 'POST' });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
