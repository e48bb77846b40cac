import fs from 'node:fs';
import path from 'node:path';
import { runTool } from './tool.js';
import type { Ground } from './ground.js';

/** What the first start has made, for the person to try things with. */
export interface FirstRun {
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
export async function firstRun(ground: Ground, environment: NodeJS.ProcessEnv): Promise<FirstRun | undefined> {
  const file = path.join(ground.home.folder, 'first-run.json');
  if (fs.existsSync(file)) {
    keepAddressCurrent(file, environment['PUBLIC_URL']);
    return undefined;
  }
  await runTool(ground, environment, ['first-run', '--file', file]);
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as FirstRun) : undefined;
}

/** Programs such as the receiver ask there; after a start on another port it would send them astray. */
function keepAddressCurrent(file: string, baseUrl: string | undefined): void {
  const made = JSON.parse(fs.readFileSync(file, 'utf8')) as FirstRun;
  if (!baseUrl || made.base_url === baseUrl) return;
  fs.writeFileSync(file, `${JSON.stringify({ ...made, base_url: baseUrl }, undefined, 2)}\n`);
}
