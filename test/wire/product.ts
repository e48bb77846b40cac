import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly smtpPort: number;
}

/** The owner of a second account, who is invited into the first one too. */
export const TWIN = { email: 'plain@example.com', password: 'wire-password-1', account: 'Twin Ltd' } as const;

const READY_MS = 240_000;
const STOPPED_MS = 60_000;

type Use = (base: string, firstRunFile: string) => Promise<number>;

/** Starts the product afresh, lets `use` have it, and stops it whatever happened. */
export async function takeFrom(place: Place, use: Use): Promise<number> {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-wire-'));
  const environment = environmentOf(place, data);
  const log = fs.openSync(path.join(data, 'start.log'), 'w');
  const product = spawn('npm', ['start'], { cwd: place.folder, env: environment, stdio: ['ignore', log, log] });
  const base = `http://127.0.0.1:${place.port}`;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop(product, data).then(() => process.exit(130)));
  try {
    await ready(product, data, base);
    await makeTwin(place.folder, environment);
    const code = await use(base, path.join(data, 'first-run.json'));
    await stop(product, data);
    fs.rmSync(data, { recursive: true, force: true });
    return code;
  } catch (error) {
    await stop(product, data);
    process.stderr.write(`The data and logs of the product are kept in ${data}.\n`);
    throw error;
  }
}

/** Nothing of the shell's own settings may change what is recorded. */
function environmentOf({ port, smtpPort }: Place, data: string): NodeJS.ProcessEnv {
  const { PATH, HOME, PG_BIN, REDIS_SERVER } = process.env;
  return {
    ...(PG_BIN && { PG_BIN }),
    ...(REDIS_SERVER && { REDIS_SERVER }),
    PATH,
    HOME,
    PORT: `${port}`,
    DATA_DIR: data,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    WEBHOOK_RETRY_SCHEDULE: '1',
    // The tokens of one person share the limit.
    RATE_LIMIT_PER_MINUTE: '3000',
  };
}

async function ready(product: ChildProcess, data: string, base: string): Promise<void> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await pause(250)) {
    if (product.exitCode !== null) throw new Error(`The product ended: ${startLog(data)}`);
    const answer = await fetch(`${base}/readyz`).catch(() => undefined);
    if (answer?.ok && /curl -sS/.test(startLog(data))) return;
  }
  throw new Error(`The product was not ready in time: ${startLog(data)}`);
}

const startLog = (data: string): string => fs.readFileSync(path.join(data, 'start.log'), 'utf8');

function makeTwin(cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const words = ['accounts', 'create', TWIN.account, '--owner', TWIN.email, '--password-stdin'];
  const cli = spawn('npm', ['run', 'cli', '--', ...words], { cwd, env, stdio: ['pipe', 'ignore', 'pipe'] });
  const said: Buffer[] = [];
  cli.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  cli.stdin.end(TWIN.password);
  return new Promise((resolve, reject) => {
    cli.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The second account was not made: ${Buffer.concat(said).toString()}`));
    });
  });
}

/** npm leaves its children to themselves; they notice, and are gone when their lock is. */
async function stop(product: ChildProcess, data: string): Promise<void> {
  product.kill('SIGTERM');
  const lock = path.join(data, 'lock');
  for (const deadline = Date.now() + STOPPED_MS; fs.existsSync(lock) && Date.now() < deadline;) await pause(250);
}
