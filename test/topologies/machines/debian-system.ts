import fs from 'node:fs';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { serverUser } from '../../../apps/launcher/src/system-user.js';
import { unpackedSystem } from '../support/debian-packages.js';

/** From trixie, because PgBouncer of bookworm is too old. */
const PACKAGES = {
  suite: 'trixie',
  names:
    'base-files bash dash coreutils patroni python3-etcd etcd-server haproxy pgbouncer redis-server redis-sentinel postgresql-17'.split(
      ' ',
    ),
  withDependencies: true,
};

export interface DebianSystem {
  readonly root: string;
  /** The account of its servers. */
  readonly user: string;
}

/** The system of all hosts: unpacked into this checkout; nothing is installed on this machine. */
export function debianSystem(mayFetch: boolean): DebianSystem {
  if (process.getuid?.() !== 0)
    throw new Error('Hosts are network namespaces, which only root makes: run this as root.');
  const root = unpackedSystem(PACKAGES, mayFetch);
  if (root === undefined) throw new Error("Debian's packages are not here yet: run this with --install once.");
  const { uid, gid } = serverUser()!;
  // Steps of the packages' own install scripts.
  fs.mkdirSync(path.join(root, 'srv'), { recursive: true });
  fs.writeFileSync(
    path.join(root, 'etc/passwd'),
    `root:x:0:0:root:/root:/bin/bash\npostgres:x:${uid}:${gid}:postgres:/srv:/bin/bash\n`,
  );
  fs.writeFileSync(path.join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  fs.mkdirSync(path.join(root, 'etc/ssl/certs'), { recursive: true });
  // Patroni reads them although it needs none.
  fs.writeFileSync(path.join(root, 'etc/ssl/certs/ca-certificates.crt'), rootCertificates.join('\n'));
  fs.writeFileSync(path.join(root, 'etc/group'), `root:x:0:\npostgres:x:${gid}:\n`);
  return { root, user: `${uid}:${gid}` };
}
