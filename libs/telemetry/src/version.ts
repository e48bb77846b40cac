import { createRequire } from 'node:module';

/** Of package.json, which stands above the sources and above what is built from them, at different heights. */
export const VERSION: string = readVersion();

function readVersion(): string {
  const require = createRequire(import.meta.url);
  for (const path of ['../../../package.json', '../../../../package.json'])
    try {
      return (require(path) as { version: string }).version;
    } catch {
      continue;
    }
  return '0';
}
