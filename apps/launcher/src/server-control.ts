import type { LaunchContext } from './work-directory.js';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { findRedis } from './redis/server.js';
import { startOwnPostgres, startOwnRedis, type Services } from './services.js';
import type { ManagedServer } from './server.js';
import { printProgress } from './terminal.js';

/** Lets tests break the servers. Only they know the address. Every call is `POST <url>/<server>/<verb>`. */
export async function startServerControl(context: LaunchContext, services: Services) {
  const servers = new ControlledServers(context, services);
  const secret = randomBytes(16).toString('hex');
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://control');
    const [given, id = '', verb = ''] = pathname.slice(1).split('/');
    const isAllowed = given === secret && request.method === 'POST';
    const [status, body] = isAllowed ? await servers.handle(id, verb, searchParams) : NOT_FOUND;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const listener = http.createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${secret}`,
    close: () => {
      listener.close();
      listener.closeAllConnections();
      servers.printCrashes();
    },
  };
}

type Answer = readonly [status: number, body: object];

const NOT_FOUND: Answer = [404, { error: 'not found' }];
const NO_REDIS: Answer = [503, { error: 'there is no Redis on this machine' }];
const ofServer = (id: string, { url, running }: ManagedServer): Answer => [200, { id, url, pid: running.pid }];

/** The run's servers are `postgres` and `redis`. Servers spawned for a test have generated ids. */
class ControlledServers {
  private readonly servers = new Map<string, ManagedServer>();
  private spawned = 0;

  constructor(
    private readonly context: LaunchContext,
    { postgres, redis }: Services,
  ) {
    if (postgres) this.servers.set('postgres', postgres);
    if (redis) this.servers.set('redis', redis);
  }

  async handle(id: string, verb: string, query: URLSearchParams): Promise<Answer> {
    try {
      if (verb === 'spawn') return await this.spawn(id, query);
      if (verb === 'program') return await this.findRedis();
      return await this.command(id, verb, query);
    } catch (error) {
      return [500, { error: (error as Error).message }];
    }
  }

  /** A failing test only sees lost connections, and the logs are removed at the end. */
  printCrashes(): void {
    for (const { program } of [...this.servers.values()].map(({ running }) => running))
      for (const line of crashesIn(program.log)) printProgress(`${program.name} crashed: ${line}`);
  }

  private async spawn(kind: string, query: URLSearchParams): Promise<Answer> {
    this.spawned += 1;
    // Differs from `postgres-18`, the folder of a PostgreSQL version.
    const id = `spare-${kind}-${this.spawned}`;
    const parent = path.join(this.context.workDirectory.servers, id);
    fs.mkdirSync(parent, { mode: 0o711 });
    const server =
      kind === 'postgres'
        ? await startOwnPostgres(this.context, parent)
        : await startOwnRedis(this.context, parent, query.get('durable') === 'yes');
    if (!server) return NO_REDIS;
    this.servers.set(id, server);
    return ofServer(id, server);
  }

  /** For tests that run Redis with their own configuration. */
  private async findRedis(): Promise<Answer> {
    const found = await findRedis(this.context);
    return found ? [200, found] : NO_REDIS;
  }

  private async command(id: string, verb: string, query: URLSearchParams): Promise<Answer> {
    const server = this.servers.get(id);
    if (!server) return [404, { error: `there is no server ${id}` }];
    if (verb === 'restart') await server.restart();
    else if (verb === 'kill9') await server.kill();
    else if (verb === 'stop') await server.running.stop();
    else if (verb === 'pause') await server.pause(Number(query.get('ms') ?? 1000));
    else return [404, { error: `there is no ${verb}` }];
    return ofServer(id, server);
  }
}

/**
 * PostgreSQL ends all sessions when one of its processes dies, and goes on. Only its log tells why. Signal 9 is sent from
 * outside: by a test, most of the time.
 */
const CRASH = /\bwas terminated by signal (?!9\b)\d+|\bPANIC: /;

export function crashesIn(log: string | undefined): string[] {
  if (!log || !fs.existsSync(log)) return [];
  const lines = fs.readFileSync(log, 'utf8').split('\n');
  return lines.flatMap((line, at) => (CRASH.test(line) ? [line, ...detailBehind(lines, at)] : []));
}

/** Continuation lines of the statement begin with a tab. */
function detailBehind(lines: readonly string[], at: number): string[] {
  const rest = lines.slice(at + 1);
  if (!rest[0]?.includes('DETAIL: ')) return [];
  const end = rest.findIndex((line, index) => index > 0 && !line.startsWith('\t'));
  return rest.slice(0, end < 0 ? undefined : end);
}
