import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The temporary files of a test and its programs are in one folder of this run and end with it: browser files have
 * fixed names, and would belong to the account of the first run on this machine.
 */
export default function setup(): () => void {
  // Below the launcher's own folder of the run, which is removed even after kill -9.
  const folder = mkdtempSync(join(process.env['DATA_DIR'] ?? tmpdir(), 'tests-'));
  // Servers of tests run as another account than root, and pass through it.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
