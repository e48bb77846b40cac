import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Whatever a test or something it starts puts into the temporary folder is in one folder of this run and ends with it:
 * files of browsers have fixed names there, which would belong to whoever ran the tests first on this machine.
 */
export default function setup(): () => void {
  // Below the launcher's own folder of the run, which is swept even after kill -9.
  const folder = mkdtempSync(join(process.env['DATA_DIR'] ?? tmpdir(), 'tests-'));
  // Servers that tests start run as another account than root, and pass through it.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
