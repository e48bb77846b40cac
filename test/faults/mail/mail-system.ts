import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Client as PgClient } from 'pg';
import { createDatabase, withClient } from '#test/support/database.js';
import { seedAccount } from '#test/support/seed.js';
import { startServer } from '#test/support/servers.js';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { RestartableApp } from '../campaign/restartable-app.js';
import { SmallDisk } from './small-disk.js';

interface MailSystemOptions {
  readonly apis?: number;
  /** Whether the webhook queue is in Redis, which can be broken as well. */
  readonly redis?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

interface Asked {
  readonly body?: object;
  readonly key?: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const ANSWER_MS = 30_000;

export type MailSystem = Awaited<ReturnType<typeof openMailSystem>>;

/** The product with inbound and outbound mail: an API with its mail port, two workers, and its own PostgreSQL. */
export async function openMailSystem({
  apis: count = 1,
  redis: withRedis = false,
  settings = {},
}: MailSystemOptions = {}) {
  const postgres = await startServer('postgres');
  const redis = withRedis && process.env['REDIS_URL'] ? await startServer('redis', { durable: true }) : null;
  const disk = SmallDisk.mount();
  const { url } = await createDatabase(postgres.url);
  const account = await withClient(url, (client) => seedAccount(client));
  const mailPorts = await Promise.all(Array.from({ length: count }, () => freePort()));
  const mailPort = mailPorts[0]!;
  const environment: Record<string, string> = {
    ...environmentOf(url, disk.folder, mailPort),
    ...(redis && { REDIS_URL: redis.url }),
    ...settings,
  };
  const app = async (name: string, kind: 'api' | 'worker', own = {}) =>
    new RestartableApp(name, kind, { port: await freePort(), environment: { ...environment, ...own } });
  const apis = await Promise.all(
    mailPorts.map((port, place) => app(`api ${place + 1}`, 'api', { MAIL_PORT: `${port}` })),
  );
  const api = apis[0]!;
  const workers = [await app('worker 1', 'worker'), await app('worker 2', 'worker')];
  await Promise.all([...apis, ...workers].map((one) => one.start()));
  const parts = { postgres, redis, disk, account, api, apis, workers, mailPort, mailPorts };

  /** Null without a whole answer. */
  async function ask(method: string, way: string, { body, key }: Asked = {}): Promise<Answer | null> {
    try {
      const answer = await fetch(api.base + way, {
        method,
        headers: {
          authorization: `Bearer ${account.owner.token}`,
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

  async function call<T>(method: string, way: string, body?: object): Promise<T> {
    const answer = await ask(method, way, body && { body });
    if (!answer || answer.status >= 400) throw new Error(`${method} ${way}: ${JSON.stringify(answer)}`);
    return answer.body as T;
  }

  return {
    ...parts,
    ask,
    call,
    /** A mailbox, which fetches its mail from this server if there is one. */
    async addMailbox(name: string, imap: object | null): Promise<string> {
      const wanted = { name, email: `${name}@acme.test` };
      const { mailbox } = await call<{ mailbox: { id: string } }>('POST', '/v1/mailboxes', wanted);
      if (imap) await call('PUT', `/v1/mailboxes/${mailbox.id}/imap`, imap);
      return mailbox.id;
    },
    database: <T>(work: (client: PgClient) => Promise<T>): Promise<T> => withClient(url, work),
    sql: <T extends object>(text: string): Promise<T[]> =>
      withClient(url, async (client) => (await client.query<T>(text)).rows),
    async close(): Promise<void> {
      await Promise.all([...apis, ...workers].map((one) => one.stop()));
      await Promise.all([postgres.stop(), redis?.stop()]);
      fs.rmSync(environment['DATA_DIR']!, { recursive: true, force: true });
      disk.remove();
    },
  };
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
