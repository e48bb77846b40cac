import { randomInt } from 'node:crypto';

const usedPorts = new Set<number>();

/** Below those the system gives to outgoing connections: what is closed and opened again must not lose its place. */
export function nonEphemeralPort(): number {
  for (;;) {
    const port = randomInt(11_000, 32_000);
    if (usedPorts.has(port)) continue;
    usedPorts.add(port);
    return port;
  }
}
