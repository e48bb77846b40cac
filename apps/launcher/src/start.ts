import fs from 'node:fs';
import path from 'node:path';
import { isDiskFull, watchDisk, keepRunning, type Restartable } from './supervise.js';
import { type LaunchContext, publishSettings } from './work-directory.js';
import { ProductProcess, runOperatorCommand, describeExit, lastLines } from './program.js';
import { programEnvironment, startServices } from './services.js';
import { freePort, assertPortFree, connectableHost } from './ports.js';
import { setTimeout as pause } from 'node:timers/promises';
import { UserFacingError } from './terminal.js';

export async function startProduct(context: LaunchContext): Promise<never> {
  await assertPortFree(context.options.host, context.options.port);
  const { servers, apps } = await bringUp(context, 'log');
  const { processes, workDirectory } = context;
  const data = watchDisk(workDirectory.folder);
  const circumstances = { processes, isDiskFull: () => isDiskFull(workDirectory.folder) };
  return Promise.race([data, ...[...servers, ...apps].map((one) => keepRunning(one, circumstances))]);
}

export async function bringUp(
  context: LaunchContext,
  output: 'log' | 'terminal',
): Promise<{ servers: Restartable[]; apps: ProductProcess[] }> {
  const { host, port, servers, dataDir } = context.options;
  const { workDirectory } = context;
  const services = await startServices(context);
  const environment = programEnvironment(context, services);
  environment['WORKER_PORT'] ??= `${await freePort()}`;
  if (servers !== 'joined') environment['MAIL_PORT'] ??= `${await freePort()}`;
  environment['CATCH_MAIL'] ??= 'true';
  const joined = servers === 'joined';
  // An API that joins links to itself, not to the one whose servers it shares.
  if (joined) environment['PUBLIC_URL'] = `http://${connectableHost(host)}:${port}`;
  else publishSettings(workDirectory, environment);
  await runOperatorCommand(context, environment, ['migrate', 'up']);
  const made = joined ? undefined : await runFirstRun(context, environment);
  const apps = (['api', 'worker'] as const).map((name) => new ProductProcess(name, context, environment, output));
  await waitUntilReady(environment, apps);
  const folder = joined ? dataDir : workDirectory.folder;
  process.stdout.write(greeting(environment['PUBLIC_URL'] ?? '', smtpUrlOf(environment), folder, made));
  return { servers: [services.postgres, services.redis].filter((server) => server !== undefined), apps };
}

const READY_TIMEOUT_MS = 60_000;

/** Resolves when both apps are ready. Rejects if one ends before that, because a restart would not help. */
export async function waitUntilReady(
  { HOST, PORT, WORKER_PORT }: NodeJS.ProcessEnv,
  apps: ProductProcess[],
): Promise<void> {
  const ended = new AbortController();
  const failures = apps.map(async (app) => {
    const { name, log } = app.running.program;
    const exit = await app.running.exited;
    throw new UserFacingError(`the ${name} ${describeExit(exit)}. Its log ends with${lastLines(log)}`);
  });
  const ready = [PORT, WORKER_PORT].map((port) =>
    waitUntilAnswering(`http://${connectableHost(HOST ?? '')}:${port}/readyz`, ended.signal),
  );
  try {
    await Promise.race([...failures, Promise.all(ready)]);
  } finally {
    ended.abort();
  }
}

async function waitUntilAnswering(address: string, ended: AbortSignal): Promise<void> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (!ended.aborted) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (answer?.ok) return;
    if (Date.now() > giveUpAt)
      throw new UserFacingError(
        `Not ready within a minute: ${address} ${answer ? `responds ${answer.status}` : 'does not respond'}. See the logs.`,
      );
    await pause(50);
  }
}

/** The account and credentials that the first start creates. */
interface FirstRunResult {
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
async function runFirstRun(
  context: LaunchContext,
  environment: NodeJS.ProcessEnv,
): Promise<FirstRunResult | undefined> {
  const file = path.join(context.workDirectory.folder, 'first-run.json');
  const isFirst = !fs.existsSync(file);
  if (isFirst) await runOperatorCommand(context, environment, ['first-run', '--file', file]);
  const made = keepAddressesCurrent(file, environment);
  return isFirst ? made : undefined;
}

export const smtpUrlOf = ({ MAIL_PORT: port, MAIL_HOST: host }: NodeJS.ProcessEnv): string | undefined =>
  port && port !== '0' ? `smtp://${connectableHost(host || '127.0.0.1')}:${port}` : undefined;

/** Programs read the addresses from this file, and each start may use other ports. */
function keepAddressesCurrent(file: string, environment: NodeJS.ProcessEnv): FirstRunResult | undefined {
  if (!fs.existsSync(file)) return undefined;
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
  return current;
}

const RECEIVER = 'http://127.0.0.1:4000/';

/** Printed when everything runs. The credentials are shown after the first start only. */
export function greeting(baseUrl: string, smtpUrl: string | undefined, folder: string, made?: FirstRunResult): string {
  return `
Deskwire is ready at ${baseUrl} (API reference: ${baseUrl}/docs). Ctrl-C stops it.
${smtpUrl === undefined ? '' : `Mail for mailboxes is accepted at ${smtpUrl}\n`}Data and logs: ${folder}
${made ? credentials(made, folder) : ''}
`;
}

function credentials(made: FirstRunResult, folder: string): string {
  const { owner, mailbox: to } = made;
  const ticket = {
    subject: 'The printer is on fire',
    body: 'It started this morning.',
    from: 'customer@example.com',
    to,
  };
  return `
A demonstration account was created. This is shown once and saved in ${path.join(folder, 'first-run.json')}:

  Sign in as      ${owner.email}   password  ${owner.password}
  Mailbox         ${made.mailbox}
  Application     client_id      ${made.client_id}
                  client_secret  ${made.client_secret}
                  redirect_uri   ${made.redirect_uri}
  Access token    ${made.token}

Try it in two more terminals:

npm run receiver

${post(made, '/v1/webhooks', { event: 'ticket_started', url: RECEIVER })}

${post(made, '/v1/tickets', ticket)}
${made.smtp_url === undefined ? '' : `\n${mail(made, made.smtp_url)}\n`}`;
}

function mail({ mailbox }: FirstRunResult, smtpUrl: string): string {
  const text = String.raw`From: customer@example.com\nSubject: By mail\n\nIt burns on the second floor as well.\n`;
  const envelope = `--mail-from customer@example.com --mail-rcpt ${mailbox}`;
  return `printf '${text}' | curl -sS ${envelope} --upload-file - ${smtpUrl}`;
}

/** One line, so that it can be pasted into any shell. */
function post({ base_url, token }: FirstRunResult, address: string, body: object): string {
  const headers = `-H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json'`;
  return `curl -sS ${base_url}${address} ${headers} -d '${JSON.stringify(body)}'`;
}
