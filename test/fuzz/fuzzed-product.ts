import { randomBytes } from 'node:crypto';
import { freePort } from '../../apps/launcher/src/ports.js';
import { MailServer } from '../oauth/support/mail-server.js';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import { type AppProcess, ready } from '#test/support/app-process.js';
import type { Desk } from '#test/support/desk.js';
import type { Receiver } from '#test/support/receiver.js';
import type { ServerName } from './fuzz-request.js';

export const METRICS_TOKEN = randomBytes(24).toString('base64url');

const SETTINGS = {
  TRUSTED_PROXIES: '127.0.0.0/8',
  WEBHOOK_RETRY_SCHEDULE: '1,1',
  RATE_LIMIT_PER_MINUTE: '1000000',
  METRICS_TOKEN,
};
/** A memory leak ends the process. */
const PROCESS = { LOG_LEVEL: 'warn', NODE_OPTIONS: '--max-old-space-size=256' };
/** The default limits of an installation. */
const LIMITS = { RATE_LIMIT_PER_MINUTE: '600', TRUSTED_PROXIES: '' };

/** Recorded requests and emails would pile up in a long run, unused. */
const FORGET_EVERY_MS = 1000;

/** Runs `work` on the whole product in separate processes, as in production except for the limits. */
export async function onFuzzedProduct<T>(work: (product: FuzzedProduct) => Promise<T>): Promise<T> {
  const mail = await MailServer.start();
  const oauth = await OAuthDesk.start({ ...SETTINGS, SMTP_URL: mail.url });
  const receiver = await oauth.desk.receiver();
  const timer = setInterval(() => {
    receiver.requests.length = 0;
    mail.mails.length = 0;
  }, FORGET_EVERY_MS);
  try {
    return await work(new FuzzedProduct(oauth, receiver, await processesOf(oauth.desk)));
  } finally {
    clearInterval(timer);
    await oauth.stop();
    mail.stop();
  }
}

async function processesOf(desk: Desk): Promise<FuzzedProduct['processes']> {
  const port = `${await freePort()}`;
  const worker = await desk.worker({ ...PROCESS, PORT: port, WORKER_PORT: port });
  await ready(worker.base);
  return { api: await desk.apiProcess(PROCESS), limited: await desk.apiProcess({ ...PROCESS, ...LIMITS }), worker };
}

export class FuzzedProduct {
  /** Processes that exited by themselves. */
  readonly fates: string[] = [];
  private readonly read = new Map<AppProcess, number>();

  constructor(
    readonly oauth: OAuthDesk,
    readonly receiver: Receiver,
    readonly processes: Readonly<Record<ServerName, AppProcess>>,
  ) {
    for (const [name, process] of Object.entries(processes))
      void process.exited.then((code) => this.fates.push(`${name} ended by itself (${code ?? 'by a signal'})`));
  }

  /** Output of the processes since the last call that must never occur: errors, and lines that are no log entry. */
  faultsInLogs(): string[] {
    return Object.entries(this.processes).flatMap(([name, process]) => {
      const output = process.output();
      const lines = output.slice(this.read.get(process)).split('\n').filter(Boolean);
      this.read.set(process, output.length);
      return lines.flatMap(errorIn).map((said) => `the log of ${name} has an error: ${said.slice(0, 2000)}`);
    });
  }
}

const QUIET_LEVELS = new Set(['debug', 'info', 'warn']);

function errorIn(line: string): string[] {
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: string; msg?: string; err?: { stack?: string } };
    return QUIET_LEVELS.has(level ?? '') ? [] : [`${msg ?? ''} ${err?.stack ?? line}`];
  } catch {
    return [line];
  }
}
