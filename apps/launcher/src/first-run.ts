import fs from 'node:fs';
import path from 'node:path';
import { runOperatorCommand } from './operator-command.js';
import type { LaunchContext } from './launch-context.js';

/** What the first start has made, for the person to try things with. */
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

/** Answers what was made, on the first start of a data directory only: what it says is shown once. */
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

/** Programs such as the receiver ask there; after a start on another port it would send them astray. */
function keepAddressCurrent(file: string, baseUrl: string | undefined): void {
  const made = JSON.parse(fs.readFileSync(file, 'utf8')) as FirstRunResult;
  if (!baseUrl || made.base_url === baseUrl) return;
  fs.writeFileSync(file, `${JSON.stringify({ ...made, base_url: baseUrl }, undefined, 2)}\n`);
}
