import type { Host } from './host.js';

export const SUPERUSER = 'postgres';
export const PASSWORD = 'of-postgres';

export const ETCD_PORT = 2379;
export const PATRONI_PORT = 8008;
const POSTGRES_PORT = 5432;
/** The name of the cluster. */
export const SCOPE = 'desk';
/** Time without a sign of the leader until another takes over: the minimum of Patroni. */
const LEADER_TTL_SECONDS = 20;

/** As in docs/machines.md. */
export const PATRONI = {
  dcs: { ttl: LEADER_TTL_SECONDS, loop_wait: 2, retry_timeout: 5, synchronous_mode: true },
  postgresql: { use_pg_rewind: true },
  parameters: {
    wal_log_hints: 'on',
    // A commit waits for its standby until the primary considers it lost.
    wal_sender_timeout: '5s',
  },
};

export const patroniConfiguration = ({ name, address }: Host, etcd: Host): object => ({
  scope: SCOPE,
  name,
  restapi: { listen: `0.0.0.0:${PATRONI_PORT}`, connect_address: `${address}:${PATRONI_PORT}` },
  etcd3: { host: `${etcd.address}:${ETCD_PORT}` },
  bootstrap: {
    dcs: {
      ...PATRONI.dcs,
      postgresql: {
        ...PATRONI.postgresql,
        parameters: { max_connections: 100, wal_keep_size: '256MB', wal_log_hints: PATRONI.parameters.wal_log_hints },
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
      wal_sender_timeout: PATRONI.parameters.wal_sender_timeout,
      // Only processes fail here, never the machine.
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
