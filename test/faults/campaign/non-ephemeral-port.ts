import { randomInt } from 'node:crypto';

const usedPorts = new Set<number>();

/** A port below the ephemeral range, so that no outgoing connection takes the port of a process that restarts. */
export function nonEphemeralPort(): number {
  for (;;) {
    const port = randomInt(11_000, 32_000);
    if (usedPorts.has(port)) continue;
    usedPorts.add(port);
    return port;
  }
}
