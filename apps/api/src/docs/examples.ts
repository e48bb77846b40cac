import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One call that was made, as test/docs/examples.spec.ts recorded it. */
export interface Example {
  readonly path: string;
  readonly request?: unknown;
  readonly status: number;
  readonly response?: unknown;
}

/** The compiler does not copy it, so it is read from the source folder. */
const FILE = fileURLToPath(new URL('./examples.json', import.meta.url)).replace(/\/dist(?=\/apps\/api\/)/, '');

/** Where the recorded calls were made. */
const RECORDED_BASE = 'https://desk.example';

/** By the operation's id, at this address. */
export function examplesAt(base: string): Readonly<Record<string, Example>> {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '{}';
  return JSON.parse(text.replaceAll(RECORDED_BASE, base)) as Record<string, Example>;
}
