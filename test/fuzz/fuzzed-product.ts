import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client as PgClient } from 'pg';
import { freePort } from '../../apps/launcher/src/ports.js';
import { MailServer } from '../oauth/support/mail-server.js';
import { AppProcess, ready } from '#test/support/app-process.js';
import { type TestDatabase, createDatabase } from '#test/support/database.js';
import { Receiver } from '#test/support/receiver.js';
import type { ServerName } from './fuzz-request.js';

/** A memory leak ends the process. */
const HEAP_MIB = 256;

const START_TIMEOUT_MS = 60_000;

/** Recorded requests and emails would pile up in a long run, unused. */
const FORGET_EVERY_MS = 1000;

interface ProductParts {
  readonly database: TestDatabase;
  readonly environment: Readonly<Record<string, string>>;
  readonly sql: PgClient;
  readonly processes: Readonly<Record<ServerName, FuzzedProcess>>;
  readonly receiver: Receiver;
  readonly mail: MailServer;
}

/** The whole product in separate processes, as in production except for the limits. */
export class FuzzedProduct {
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly parts: ProductParts) {
    this.timer = setInterval(() => {
      parts.receiver.requests.length = 0;
      parts.mail.mails.length = 0;
    }, FORGET_EVERY_MS);
  }

  static async open(): Promise<FuzzedProduct> {
    const [database, receiver, mail] = await Promise.all([createDatabase(), Receiver.start(), MailServer.start()]);
    const [port, limitedPort, workerPort] = await freePorts();
    const environment = environmentOf(database.url, { SMTP_URL: mail.url, PORT: port });
    const processes = {
      api: new FuzzedProcess('api', { ...environment, PORT: port }),
      limited: new FuzzedProcess('api', { ...environment, ...LIMITS, PORT: limitedPort }),
      worker: new FuzzedProcess('worker', { ...environment, WORKER_PORT: workerPort }),
    };
    const sql = new PgClient({ connectionString: database.url });
    await sql.connect();
    const product = new FuzzedProduct({ database, environment, sql, processes, receiver, mail });
    await product.ready().catch(async (error: unknown) => {
      const said = Object.values(processes).flatMap((process) => process.takeLog());
      await product.close();
      throw new Error(`The product does not start: ${said.join('\n')}`, { cause: error });
    });
    return product;
  }

  private async ready(): Promise<void> {
    await Promise.all(Object.values(this.processes).map(({ base }) => ready(base, { withinMs: START_TIMEOUT_MS })));
  }

  get environment(): Readonly<Record<string, string>> {
    return this.parts.environment;
  }
  get sql(): PgClient {
    return this.parts.sql;
  }
  get receiverUrl(): string {
    return this.parts.receiver.url;
  }
  get processes(): Readonly<Record<ServerName, FuzzedProcess>> {
    return this.parts.processes;
  }
  /** Processes that exited by themselves. */
  get fates(): string[] {
    return Object.values(this.processes).flatMap(({ fate }) => fate ?? []);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    const { processes, database, environment, sql, receiver, mail } = this.parts;
    await Promise.all(Object.values(processes).map((process) => process.stop()));
    await sql.end();
    await receiver.stop();
    mail.stop();
    await database.drop();
    await rm(environment['DATA_DIR']!, { recursive: true, force: true });
  }
}

async function freePorts(): Promise<[string, string, string]> {
  const [first, second, third] = [await freePort(), await freePort(), await freePort()];
  return [`${first}`, `${second}`, `${third}`];
}

/** The default limits of an installation. */
const LIMITS = { RATE_LIMIT_PER_MINUTE: '600', TRUSTED_PROXIES: '' };

function environmentOf(databaseUrl: string, { SMTP_URL, PORT }: Record<'SMTP_URL' | 'PORT', string>) {
  const redisUrl = process.env['REDIS_URL'];
  return {
    NODE_ENV: 'test',
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '10',
    QUEUE_PREFIX: `fuzz-${randomBytes(6).toString('hex')}`,
    DATA_DIR: path.join(tmpdir(), `deskwire-fuzz-${randomBytes(6).toString('hex')}`),
    PUBLIC_URL: `http://127.0.0.1:${PORT}`,
    SMTP_URL,
    TRUSTED_PROXIES: '127.0.0.0/8',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_RETRY_SCHEDULE: '1,1',
    RATE_LIMIT_PER_MINUTE: '1000000',
    METRICS_TOKEN: randomBytes(24).toString('base64url'),
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
  };
}

export class FuzzedProcess {
  readonly base: string;
  private readonly lines: string[] = [];
  private readonly app: AppProcess;
  private ended: string | undefined;
  private stopping = false;

  constructor(
    readonly name: 'api' | 'worker',
    environment: Readonly<Record<string, string>>,
  ) {
    this.base = `http://127.0.0.1:${environment[name === 'api' ? 'PORT' : 'WORKER_PORT']}`;
    this.app = new AppProcess(name, environment, this.lines);
    void this.watch();
  }

  get pid(): number {
    return this.app.pid;
  }

  /** New output since the last call, by line. */
  takeLog(): string[] {
    const text = this.lines.splice(0).join('');
    return text.split('\n').filter(Boolean);
  }

  /** Why the process is not the original one any more. */
  get fate(): string | undefined {
    return this.ended;
  }

  private async watch(): Promise<void> {
    const code = await this.app.exited;
    if (!this.stopping) this.ended = `${this.name} ended by itself (${code ?? 'by a signal'})`;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    if (this.ended === undefined) await this.app.stop();
  }
}
