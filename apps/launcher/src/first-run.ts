import fs from 'node:fs';
import path from 'node:path';
import { runOperatorCommand } from './product-process.js';
import type { LaunchContext } from './work-directory.js';
import { connectableHost } from './ready.js';

/** The account and credentials that the first start creates. */
export interface FirstRunResult {
  base_url: string;
  account: string;
  owner: { email: string; password: string };
  mailbox: string;
  client_id: string;
  client_secret: string;
  redirect_uri: string;
  token: string;
  smtp_url?: string;
}

/** Returns the account only on the first start of a data directory. */
export async function runFirstRun(
  context: LaunchContext,
  environment: NodeJS.ProcessEnv,
): Promise<FirstRunResult | undefined> {
  const file = path.join(context.workDirectory.folder, 'first-run.json');
  if (fs.existsSync(file)) {
    keepAddressesCurrent(file, environment);
    return undefined;
  }
  await runOperatorCommand(context, environment, ['first-run', '--file', file]);
  keepAddressesCurrent(file, environment);
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as FirstRunResult) : undefined;
}

export function smtpUrlOf({ MAIL_PORT: port, MAIL_HOST: host }: NodeJS.ProcessEnv): string | undefined {
  return port && port !== '0' ? `smtp://${connectableHost(host || '127.0.0.1')}:${port}` : undefined;
}

/** Programs read the addresses from this file, and each start may use other ports. */
function keepAddressesCurrent(file: string, environment: NodeJS.ProcessEnv): void {
  if (!fs.existsSync(file)) return;
  const text = fs.readFileSync(file, 'utf8');
  const { smtp_url: _, ...made } = JSON.parse(text) as FirstRunResult;
  const smtpUrl = smtpUrlOf(environment);
  const current = {
    ...made,
    base_url: environment['PUBLIC_URL'] || made.base_url,
    ...(smtpUrl !== undefined && { smtp_url: smtpUrl }),
  };
  const wanted = `${JSON.stringify(current, undefined, 2)}\n`;
  if (wanted !== text) fs.writeFileSync(file, wanted);
}
