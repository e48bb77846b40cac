import fs from 'node:fs';
import path from 'node:path';
import { runOperatorCommand } from './operator-command.js';
import type { LaunchContext } from './launch-context.js';

/** The account that the first start has made, with what it takes to try things out. */
export interface FirstRunResult {
  base_url: string;
  account: string;
  owner: { email: string; password: string };
  mailbox: string;
  client_id: string;
  client_secret: string;
  redirect_uri: string;
  token: string;
}

/** Returns the account on the first start of a data directory only, because it is shown once. */
export async function runFirstRun(
  context: LaunchContext,
  environment: NodeJS.ProcessEnv,
): Promise<FirstRunResult | undefined> {
  const file = path.join(context.workDirectory.folder, 'first-run.json');
  if (fs.existsSync(file)) {
    keepAddressCurrent(file, environment['PUBLIC_URL']);
    return undefined;
  }
  await runOperatorCommand(context, environment, ['first-run', '--file', file]);
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as FirstRunResult) : undefined;
}

/** The receiver reads the address there, and a start may use another port than the one before. */
function keepAddressCurrent(file: string, baseUrl: string | undefined): void {
  const made = JSON.parse(fs.readFileSync(file, 'utf8')) as FirstRunResult;
  if (!baseUrl || made.base_url === baseUrl) return;
  fs.writeFileSync(file, `${JSON.stringify({ ...made, base_url: baseUrl }, undefined, 2)}\n`);
}
