import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client as PgClient } from 'pg';
import { createDatabase } from '#test/support/database.js';
import { type SeededAccount, seedAccount } from '#test/support/seed.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { RestartableApp } from '../campaign/restartable-app.js';
import { SmallDisk } from './small-disk.js';

interface MailSystemOptions {
  /** Whether the webhook queue is in Redis, which can be broken as well. */
  readonly redis?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

interface Servers {
  readonly postgres: PrivateServer;
  readonly redis: PrivateServer | null;
  readonly disk: SmallDisk;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const ANSWER_MS = 30_000;

/** The product with inbound and outbound mail: an API with its mail port, two workers, and its own PostgreSQL. */
export class MailSystem {
  private constructor(
    private readonly servers: Servers,
    readonly api: RestartableApp,
    readonly workers: readonly RestartableApp[],
    readonly account: SeededAccount,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  static async open({ redis: withRedis = false, settings = {} }: MailSystemOptions = {}): Promise<MailSystem> {
    const postgres = await startServer('postgres');
    const redis = withRedis && process.env['REDIS_URL'] ? await startServer('redis', { durable: true }) : null;
    const disk = SmallDisk.mount();
    const { url } = await createDatabase(postgres.url);
    const sql = new PgClient({ connectionString: url });
    await sql.connect();
    const account = await seedAccount(sql);
    await sql.end();
    const environment = {
      ...environmentOf(url, disk.folder, await freePort()),
      ...(redis && { REDIS_URL: redis.url }),
      ...settings,
    };
    const apps = await Promise.all(
      (['api', 'worker', 'worker'] as const).map(
        async (app, place) => new RestartableApp(`${app} ${place}`, app, { port: await freePort(), environment }),
      ),
    );
    await Promise.all(apps.map((app) => app.start()));
    return new MailSystem({ postgres, redis, disk }, apps[0]!, apps.slice(1), account, environment);
  }

  get postgres(): PrivateServer {
    return this.servers.postgres;
  }

  get redis(): PrivateServer | null {
    return this.servers.redis;
  }

  get disk(): SmallDisk {
    return this.servers.disk;
  }

  get mailPort(): number {
    return Number(this.environment['MAIL_PORT']);
  }

  /** A mailbox, which fetches its mail from this port if there is one. */
  async addMailbox(name: string, imap: object | null): Promise<string> {
    const { mailbox } = await this.call<{ mailbox: { id: string } }>('POST', '/v1/mailboxes', {
      name,
      email: `${name}@acme.test`,
    });
    if (imap) await this.call('PUT', `/v1/mailboxes/${mailbox.id}/imap`, imap);
    return mailbox.id;
  }

  async call<T>(method: string, way: string, body?: object): Promise<T> {
    const answer = await this.ask(method, way, body && { body });
    if (!answer || answer.status >= 400) throw new Error(`${method} ${way}: ${JSON.stringify(answer)}`);
    return answer.body as T;
  }

  /** Null without a whole answer. */
  async ask(method: string, way: string, { body, key }: { body?: object; key?: string } = {}): Promise<Answer | null> {
    try {
      const answer = await fetch(this.api.base + way, {
        method,
        headers: {
          authorization: `Bearer ${this.account.owner.token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      return { status: answer.status, body: await answer.json() };
    } catch {
      return null;
    }
  }

  async sql<T extends object>(text: string): Promise<T[]> {
    const client = new PgClient({ connectionString: this.environment['DATABASE_URL'] });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.api, ...this.workers].map((app) => app.stop()));
    await Promise.all([this.postgres.stop(), this.redis?.stop()]);
    fs.rmSync(this.environment['DATA_DIR']!, { recursive: true, force: true });
    this.disk.remove();
  }
}

const environmentOf = (databaseUrl: string, storage: string, mailPort: number): Record<string, string> => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'warn',
  SECRETS_KEY: `faults:${randomBytes(32).toString('base64')}`,
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: '8',
  DATA_DIR: fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-mail-faults-')),
  STORAGE_URL: storage,
  MAIL_PORT: `${mailPort}`,
  MAIL_ALLOWED_NETWORKS: '127.0.0.0/8',
  RATE_LIMIT_PER_MINUTE: '1000000',
  SHUTDOWN_GRACE_MS: '5000',
});
