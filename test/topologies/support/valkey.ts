import { unpackedProgram } from './debian-packages.js';
import { type RedisHost, onThisMachine } from './redis-node.js';

const PACKAGES = {
  suite: 'trixie',
  names:
    'valkey-server valkey-tools libatomic1 libc6 libcap2 libjemalloc2 liblzf1 libssl3t64 libsystemd0 libzstd1 zlib1g'.split(
      ' ',
    ),
};

/** Valkey 8 on this machine, in place of Redis. */
export const VALKEY: RedisHost = onThisMachine(async () => {
  const [file = '', ...words] = unpackedProgram(PACKAGES, 'usr/bin/valkey-server');
  return { file, words, env: process.env };
});
