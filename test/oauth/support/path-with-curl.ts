import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STAND_IN = fileURLToPath(new URL('../../../dist/test/oauth/support/curl-stand-in.js', import.meta.url));

/** Returns a PATH with curl: the machine’s own, or else a stand-in written to `folder`. */
export function pathWithCurl(folder: string): string {
  const { PATH = '' } = process.env;
  if (spawnSync('curl', ['--version']).status === 0) return PATH;
  writeFileSync(join(folder, 'curl'), `#!/bin/sh\nexec "${process.execPath}" "${STAND_IN}" "$@"\n`);
  chmodSync(join(folder, 'curl'), 0o755);
  return `${folder}:${PATH}`;
}
