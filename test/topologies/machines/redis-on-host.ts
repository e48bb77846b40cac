import type { RedisHost } from '../support/redis-node.js';
import type { Host } from './host.js';

const PORTS = { server: 6379, sentinel: 26379, bus: 16379 };

/** The Redis servers on a host, as processes of Debian's packages. */
export const redisOn = (host: Host): RedisHost => ({
  address: host.address,
  port: (kind) => Promise.resolve(PORTS[kind]),
  prepare: (lines, kind) => {
    host.write(`${kind}.conf`, [`dir /srv`, 'protected-mode no', ...lines].join('\n'));
    const words = [`/srv/${kind}.conf`, ...(kind === 'sentinel' ? ['--sentinel'] : [])];
    return Promise.resolve({
      run: () => host.run(`redis-${kind}`, { program: 'redis-server', words }).child,
      // The folder of the host is removed with it.
      remove: () => undefined,
    });
  },
});
