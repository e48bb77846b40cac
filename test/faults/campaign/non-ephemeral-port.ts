import { randomInt } from 'node:crypto';

const usedPorts = new Set<number>();

/** A port below those of outgoing connections, which could take the port of a process that restarts. */
export function nonEphemeralPort(): number {
  for (;;) {
    const port = randomInt(11_000, 32_000);
    if (usedPorts.has(port)) continue;
    usedPorts.add(port);
    return port;
  }
}
