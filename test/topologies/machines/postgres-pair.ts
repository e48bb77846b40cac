import { Client } from 'pg';
import { eventually } from '../../support/eventually.js';
import type { Host, HostedProgram } from './host.js';

export const SUPERUSER = 'postgres';
export const PASSWORD = 'of-postgres';

const ETCD_PORT = 2379;
const PATRONI_PORT = 8008;
const POSTGRES_PORT = 5432;
const SCOPE = 'desk';
/** Until somebody else may lead, from when the leader was last heard of: the least that Patroni allows. */
const LEADER_TTL_SECONDS = 20;

/** A member as Patroni tells it at `/cluster`. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Two PostgreSQLs, one of which follows the other synchronously, and the Patronis that decide by etcd which one leads. */
export class PostgresPair {
  private readonly patronis = new Map<Host, HostedProgram>();

  private constructor(
    readonly hosts: readonly Host[],
    private readonly etcd: Host,
  ) {}

  static async start(hosts: readonly Host[], etcd: Host): Promise<PostgresPair> {
    const pair = new PostgresPair(hosts, etcd);
    etcd.run('etcd', {
      program: 'etcd',
      words: [
        `--data-dir=/srv/etcd`,
        `--listen-client-urls=http://0.0.0.0:${ETCD_PORT}`,
        `--advertise-client-urls=http://${etcd.address}:${ETCD_PORT}`,
        '--log-level=warn',
      ],
    });
    await eventually(async () => (await fetch(`http://${etcd.address}:${ETCD_PORT}/health`)).ok, { withinMs: 20_000 });
    for (const host of hosts) {
      host.write('patroni.yml', JSON.stringify(patroniConfiguration(host, etcd)));
      pair.startPatroni(host);
    }
    await pair.settled();
    return pair;
  }

  /** The one that takes writes, as long as anybody outside sees one. */
  async primary(): Promise<Host | undefined> {
    const answers = await Promise.all(this.hosts.map(async (host) => ((await isPrimary(host)) ? host : undefined)));
    return answers.find((host) => host !== undefined);
  }

  /** Resolves when the other one takes writes. */
  async promotedInsteadOf(former: Host, withinMs = 60_000): Promise<void> {
    const other = this.hosts.find((host) => host !== former)!;
    await eventually(() => isPrimary(other), { withinMs });
  }

  async switchover(): Promise<Host> {
    const leader = await eventually(() => this.primary(), { withinMs: 30_000 });
    const answer = await fetch(`http://${leader.address}:${PATRONI_PORT}/switchover`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ leader: leader.name }),
    });
    if (!answer.ok) throw new Error(`No switchover: ${answer.status} ${await answer.text()}`);
    return leader;
  }

  /** One leads, and the other follows synchronously. */
  async settled(): Promise<void> {
    await eventually(
      async () => {
        const leader = await this.primary();
        if (!leader) return false;
        const members = await membersBy(leader);
        return (
          members.length === this.hosts.length &&
          members.some(({ role, state }) => role === 'leader' && state === 'running') &&
          members.some(({ role, state }) => role === 'sync_standby' && state === 'streaming')
        );
      },
      { withinMs: 120_000 },
    );
  }

  /** A copy of its files, and from then on every log that it ends. */
  async backUp(host: Host): Promise<void> {
    host.makeFolder('archive');
    const words = ['-h', '/srv', '-U', SUPERUSER, '-D', '/srv/backup', '-c', 'fast', '-X', 'stream'];
    await host.runOnce('backup', { program: 'pg_basebackup', words });
  }

  /** SQL as the operator of this server, by its socket. */
  async operatorSql({ folder }: Host, text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ host: folder, user: SUPERUSER, database: 'postgres' });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Puts the backup back, on the host that made it, and goes on from the point of this name. The other host follows it. */
  async restoreTo(point: string, host: Host): Promise<void> {
    for (const one of this.hosts) await this.patronis.get(one)!.end('SIGTERM');
    await this.forgetCluster();
    host.remove('data');
    host.rename('backup', 'data');
    host.write('data/recovery.signal', '');
    host.write('recovery.conf', recoveryConfiguration(point));
    const words = ['-D', '/srv/data', '-c', 'config_file=/srv/recovery.conf'];
    const recovering = host.run('recovery', { program: 'postgres', words });
    await eventually(
      async () => (await this.operatorSql(host, 'select pg_is_in_recovery() as is'))[0]!['is'] === false,
      { withinMs: 60_000 },
    );
    await recovering.end('SIGINT');
    this.startPatroni(host);
    await eventually(() => isPrimary(host), { withinMs: 60_000 });
    for (const other of this.hosts.filter((one) => one !== host)) {
      other.remove('data');
      this.startPatroni(other);
    }
    host.remove('archive');
    await this.settled();
  }

  /** What Patroni knows of the servers as they were. */
  private async forgetCluster(): Promise<void> {
    await fetch(`http://${this.etcd.address}:${ETCD_PORT}/v3/kv/deleterange`, {
      method: 'POST',
      // Everything that begins with it.
      body: JSON.stringify({ key: inBase64(`/service/${SCOPE}/`), range_end: inBase64(`/service/${SCOPE}0`) }),
    });
  }

  private startPatroni(host: Host): void {
    this.patronis.set(host, host.run('patroni', { program: 'patroni', words: ['/srv/patroni.yml'] }));
  }
}

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');

async function isPrimary({ address }: Host): Promise<boolean> {
  return fetch(`http://${address}:${PATRONI_PORT}/primary`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function membersBy({ address }: Host): Promise<readonly Member[]> {
  const answer = await fetch(`http://${address}:${PATRONI_PORT}/cluster`, { signal: AbortSignal.timeout(2_000) });
  return ((await answer.json()) as { members: Member[] }).members;
}

/** In place of the file of Patroni, which sets other targets to nothing. */
const recoveryConfiguration = (point: string): string => `listen_addresses = ''
unix_socket_directories = '/srv'
fsync = off
restore_command = 'cp /srv/archive/%f %p'
recovery_target_name = '${point}'
recovery_target_action = promote
`;

const patroniConfiguration = ({ name, address }: Host, etcd: Host): object => ({
  scope: SCOPE,
  name,
  restapi: { listen: `0.0.0.0:${PATRONI_PORT}`, connect_address: `${address}:${PATRONI_PORT}` },
  etcd3: { host: `${etcd.address}:${ETCD_PORT}` },
  bootstrap: {
    dcs: {
      ttl: LEADER_TTL_SECONDS,
      loop_wait: 2,
      retry_timeout: 5,
      synchronous_mode: true,
      postgresql: {
        use_pg_rewind: true,
        parameters: { max_connections: 100, wal_keep_size: '256MB', wal_log_hints: 'on' },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
  },
  postgresql: {
    listen: `0.0.0.0:${POSTGRES_PORT}`,
    connect_address: `${address}:${POSTGRES_PORT}`,
    data_dir: '/srv/data',
    bin_dir: '/usr/lib/postgresql/17/bin',
    pgpass: '/srv/pgpass',
    authentication: {
      superuser: { username: SUPERUSER, password: PASSWORD },
      replication: { username: 'replicator', password: PASSWORD },
      rewind: { username: 'rewinder', password: PASSWORD },
    },
    parameters: {
      unix_socket_directories: '/srv',
      // A commit waits for its standby until the primary takes it for gone.
      wal_sender_timeout: '5s',
      // The machine itself is never lost here, only what runs on it.
      fsync: 'off',
      shared_buffers: '64MB',
      archive_mode: 'on',
      archive_command: 'test -d /srv/archive && cp %p /srv/archive/%f || true',
    },
    pg_hba: [
      'local all all trust',
      'local replication all trust',
      'host replication replicator all scram-sha-256',
      'host all all all scram-sha-256',
    ],
  },
});
