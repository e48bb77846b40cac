import { Client } from 'pg';
import { eventually } from '#test/support/eventually.js';
import type { Host, HostedProgram } from './host.js';
import { PASSWORD, SUPERUSER } from './patroni-configuration.js';
import type { PostgresPair } from './postgres-pair.js';

const HAPROXY_PORT = 5432;
const PGBOUNCER_PORT = 6432;
const ROLE = 'deskwire';
const POOL_SIZE = 20;

/** One host with PgBouncer in transaction mode, and HAProxy behind it, which finds the primary through Patroni. */
export class Balancer {
  private readonly running: Record<'haproxy' | 'pgbouncer', HostedProgram>;

  private constructor(readonly host: Host) {
    this.running = { haproxy: this.startHaproxy(), pgbouncer: this.startPgbouncer() };
  }

  /** Creates a role and a database of the product, once there is a primary. */
  static async start(host: Host, { hosts }: PostgresPair): Promise<Balancer> {
    host.write('haproxy.cfg', haproxyConfiguration(hosts));
    host.write('users.txt', `"${ROLE}" "${PASSWORD}"\n`);
    host.write('pgbouncer.ini', PGBOUNCER);
    const balancer = new Balancer(host);
    await eventually(() => balancer.createDatabase(), { withinMs: 30_000 });
    return balancer;
  }

  get directUrl(): string {
    return `postgres://${ROLE}:${PASSWORD}@${this.host.address}:${HAPROXY_PORT}/${ROLE}`;
  }

  get url(): string {
    return `postgres://${ROLE}:${PASSWORD}@${this.host.address}:${PGBOUNCER_PORT}/${ROLE}`;
  }

  /** Runs SQL over a new connection, which no fault has broken. */
  async sql<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return withClient(this.directUrl, work);
  }

  async restart(name: 'haproxy' | 'pgbouncer'): Promise<void> {
    await this.running[name].end(name === 'haproxy' ? 'SIGTERM' : 'SIGQUIT');
    this.running[name] = name === 'haproxy' ? this.startHaproxy() : this.startPgbouncer();
  }

  private startHaproxy(): HostedProgram {
    return this.host.run('haproxy', { program: 'haproxy', words: ['-db', '-f', '/srv/haproxy.cfg'] });
  }

  private startPgbouncer(): HostedProgram {
    return this.host.run('pgbouncer', { program: 'pgbouncer', words: ['--quiet', '/srv/pgbouncer.ini'] });
  }

  private async createDatabase(): Promise<true> {
    await withClient(
      `postgres://${SUPERUSER}:${PASSWORD}@${this.host.address}:${HAPROXY_PORT}/postgres`,
      async (client) => {
        await client.query(`create role ${ROLE} login password '${PASSWORD}'`);
        await client.query(`create database ${ROLE} owner ${ROLE}`);
      },
    );
    return true;
  }
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 20_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** As in docs/machines.md. */
export const HAPROXY = `listen postgres
  bind *:${HAPROXY_PORT}
  mode tcp
  option httpchk GET /primary
  http-check expect status 200
  timeout connect 3s
  timeout client 30m
  timeout server 30m
  timeout check 2s
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions`;

const haproxyConfiguration = (servers: readonly Host[]): string => `global
  maxconn 1000
${HAPROXY}
${servers.map(({ name, address }) => `  server ${name} ${address}:5432 check port 8008`).join('\n')}
`;

/** As in docs/machines.md. */
export const PGBOUNCER = `[databases]
* = host=127.0.0.1 port=${HAPROXY_PORT}
[pgbouncer]
listen_addr = 0.0.0.0
listen_port = ${PGBOUNCER_PORT}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = /srv/users.txt
max_client_conn = 500
pool_mode = transaction
max_prepared_statements = 200
default_pool_size = ${POOL_SIZE}
tcp_user_timeout = 10000
server_login_retry = 2
server_connect_timeout = 3
query_wait_timeout = 30
`;
