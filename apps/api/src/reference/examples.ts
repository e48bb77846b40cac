import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** One call that was made, as test/docs/examples.spec.ts recorded it. */
export interface Example {
  readonly path: string;
  readonly request?: unknown;
  readonly status: number;
  readonly response?: unknown;
}

/** The compiler does not copy it, so it is read from the source folder, which package.json names. */
const FILE = createRequire(import.meta.url).resolve('#examples.json');

/** Where the recorded calls were made. */
const RECORDED_BASE = 'https://desk.example';

/** By the operation's id, at this address. */
export function examplesAt(base: string): Readonly<Record<string, Example>> {
  return JSON.parse(readFileSync(FILE, 'utf8').replaceAll(RECORDED_BASE, base)) as Record<string, Example>;
}
