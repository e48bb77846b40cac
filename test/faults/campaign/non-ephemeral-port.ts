import { randomInt } from 'node:crypto';

const given = new Set<number>();

/** Below those the system gives to outgoing connections: what is closed and opened again must not lose its place. */
export function lowPort(): number {
  for (;;) {
    const port = randomInt(11_000, 32_000);
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}
