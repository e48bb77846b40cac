import { readFileSync } from 'node:fs';
import type { Environment } from './setting.js';

const SUFFIX = '_FILE';
/** Far more than any key list or address needs, so that a wrong path does not fill the memory. */
const MAX_BYTES = 64 * 1024;

export interface ResolvedEnvironment {
  readonly environment: Environment;
  /** Faults by the name of the setting whose file is wrong. */
  readonly faults: ReadonlyMap<string, string>;
}

/** Replaces `NAME_FILE` with `NAME`, whose value is the content of that file, as container platforms mount secrets. */
export function readSecretFiles(given: Environment, names: readonly string[]): ResolvedEnvironment {
  const environment: Record<string, string | undefined> = { ...given };
  const faults = new Map<string, string>();
  for (const name of names) {
    const file = given[name + SUFFIX];
    if (!file) continue;
    delete environment[name + SUFFIX];
    try {
      environment[name] = contentOf(file, { instead: given[name] });
    } catch (error) {
      faults.set(name, `${name + SUFFIX} ${(error as Error).message}`);
    }
  }
  return { environment, faults };
}

function contentOf(file: string, { instead }: { instead: string | undefined }): string {
  if (instead) throw new Error('cannot be set together with the setting itself');
  const text = readText(file);
  if (text.length > MAX_BYTES) throw new Error(`must name a file of at most ${MAX_BYTES} bytes`);
  // Editors and `echo` end a file with a line break.
  const value = text.replace(/\r?\n$/, '');
  if (value === '') throw new Error('names an empty file');
  return value;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}
