import { readFileSync } from 'node:fs';
import type { Environment } from './setting.js';
import { SECRETS, SETTINGS, type Settings } from './settings.js';
import { singleHostUrls } from './value-rules.js';

/** Lists all wrong settings at once, so one restart is enough to correct them. It never shows a value. */
export class InvalidSettings extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`These settings are wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}\nSee docs/configuration.md.`);
  }
}

export function readSettings(given: Environment = process.env): Settings {
  const { environment, faults: fileFaults } = withSecretFiles(given);
  const faults = [...fileFaults.values()];
  const entries = Object.entries(SETTINGS).map(([name, { fallback, read }]) => {
    if (fileFaults.has(name)) return [name, undefined];
    try {
      const value = environment[name];
      return [name, value === undefined || value === '' ? fallback(environment) : read(value, environment)];
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}`);
      return [name, undefined];
    }
  });
  if (faults.length > 0) throw new InvalidSettings(faults);
  const settings = Object.freeze(Object.fromEntries(entries)) as Settings;
  const contradicting = contradictions(settings);
  if (contradicting.length > 0) throw new InvalidSettings(contradicting);
  return settings;
}

function contradictions({ REDIS_SENTINELS, REDIS_CLUSTER, REDIS_URL }: Settings): string[] {
  const hasSentinels = REDIS_SENTINELS.length > 0;
  if (hasSentinels && REDIS_CLUSTER) return ['REDIS_SENTINELS and REDIS_CLUSTER cannot both be set'];
  if ((hasSentinels || REDIS_CLUSTER) && REDIS_URL === undefined)
    return ['REDIS_URL must be set for Sentinels and for a Cluster too'];
  if (REDIS_URL !== undefined && singleHostUrls(REDIS_URL).length > 1 && !REDIS_CLUSTER)
    return ['REDIS_CLUSTER must be true where REDIS_URL names several servers'];
  return [];
}

const SUFFIX = '_FILE';
/** Larger than any secret; a wrong path must not fill the memory. */
const MAX_BYTES = 64 * 1024;

/**
 * Replaces `NAME_FILE` by `NAME` with the content of that file, because container platforms mount secrets as files.
 * Returns faults by the name of the setting.
 */
export function withSecretFiles(given: Environment) {
  const environment: Record<string, string | undefined> = { ...given };
  const faults = new Map<string, string>();
  for (const name of SECRETS) {
    const file = given[name + SUFFIX];
    if (!file) continue;
    delete environment[name + SUFFIX];
    try {
      if (given[name]) throw new Error('cannot be set together with the setting itself');
      environment[name] = readSecret(file);
    } catch (error) {
      faults.set(name, `${name + SUFFIX} ${(error as Error).message}`);
    }
  }
  return { environment, faults };
}

function readSecret(file: string): string {
  const text = readText(file);
  if (text.length > MAX_BYTES) throw new Error(`must name a file of at most ${MAX_BYTES} bytes`);
  // Editors and `echo` add a line break.
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
