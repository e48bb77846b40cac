import type { SystemUser } from './system-user.js';
import type { WorkDirectory } from './work-directory.js';
import type { Options } from './options.js';
import type { ProcessRegistry } from './process-registry.js';

/** What the parts of one run share. */
export interface LaunchContext {
  options: Options;
  workDirectory: WorkDirectory;
  serverUser: SystemUser | undefined;
  processes: ProcessRegistry;
}
