import { withClient } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import type { Host, HostedProgram } from './host.js';
import { ETCD_PORT, PATRONI_PORT, SCOPE, SUPERUSER, patroniConfiguration } from './patroni-configuration.js';

/** A member as Patroni reports it at `/cluster`. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Two PostgreSQL servers with synchronous replication, and their Patronis, which elect the primary through etcd. */
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

  /** The server that accepts writes, if it can be reached. */
  async primary(): Promise<Host | undefined> {
    const answers = await Promise.all(this.hosts.map(async (host) => ((await isPrimary(host)) ? host : undefined)));
    return answers.find((host) => host !== undefined);
  }

  /** Resolves when the other server accepts writes. */
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

  /** One is the primary, and the other a synchronous standby. */
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

  /** Copies its files, and archives its WAL from then on. */
  async backUp(host: Host): Promise<void> {
    host.makeFolder('archive');
    const words = ['-h', '/srv', '-U', SUPERUSER, '-D', '/srv/backup', '-c', 'fast', '-X', 'stream'];
    await host.runOnce('backup', { program: 'pg_basebackup', words });
  }

  /** Runs SQL as the operator of this server, by its socket. */
  operatorSql({ folder }: Host, text: string): Promise<Record<string, unknown>[]> {
    const place = { host: folder, user: SUPERUSER, database: 'postgres' };
    return withClient(place, async (client) => (await client.query<Record<string, unknown>>(text)).rows);
  }

  /** Restores the backup on its host and replays up to the restore point of this name. The other host follows. */
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

  /** Removes Patroni's state of the former servers. */
  private async forgetCluster(): Promise<void> {
    await fetch(`http://${this.etcd.address}:${ETCD_PORT}/v3/kv/deleterange`, {
      method: 'POST',
      // All keys with this prefix.
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

/** Replaces the file of Patroni, which clears the recovery target. */
const recoveryConfiguration = (point: string): string => `listen_addresses = ''
unix_socket_directories = '/srv'
fsync = off
restore_command = 'cp /srv/archive/%f %p'
recovery_target_name = '${point}'
recovery_target_action = promote
`;
