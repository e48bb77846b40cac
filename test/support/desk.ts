import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Clock } from '#libs/database';
import { type Settings, readSettings } from '#libs/settings';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { Client as PgClient } from 'pg';
import { apiParts, configureApi } from '../../apps/api/src/create-api.js';
import { OpenApiService } from '../../apps/api/src/reference/openapi.service.js';
import { freePort } from '../../apps/launcher/src/ports.js';
import { ApiClient, baseUrlOf } from './api-client.js';
import { AppProcess, ready } from './app-process.js';
import { MovableClock } from './clock.js';
import { type OpenApiContract, contractOf } from './openapi-contract.js';
import { createDatabase } from './database.js';
import { Receiver, type Reply } from './receiver.js';
import { type SeededAccount, seedAccount } from './seed.js';

export interface DeskOptions {
  readonly queue?: 'redis' | 'postgres';
  readonly settings?: Readonly<Record<string, string>>;
  /** Servers of this test alone, so that it may break them. */
  readonly databaseServer?: string;
  /** A pooler in front of PostgreSQL, for every connection that can use one. */
  readonly pooler?: { urlOf(databaseUrl: string): string } | undefined;
  readonly redisUrl?: string;
}

/**
 * The whole product for one test file: its own database and queue on the servers of the test run, an API in this
 * process, workers in separate processes, receivers, and an account.
 */
export async function startDesk(options: DeskOptions = {}): Promise<Desk> {
  const database = await createDatabase(options.databaseServer);
  const clock = new MovableClock();
  const environment = environmentOf(options, database.url);
  const api = await startApi(readSettings(environment), clock);
  await api.listen(Number(options.settings?.['PORT'] ?? 0), '127.0.0.1');
  const sql = new PgClient({ connectionString: database.url });
  // Restarting the server breaks this connection too, and its next query fails.
  sql.on('error', () => undefined);
  await sql.connect();
  return new Desk({ api, clock, environment, sql, account: await seedAccount(sql), drop: database.drop });
}

/** The API of the product, except for the clock. */
async function startApi(settings: Settings, clock: Clock): Promise<NestFastifyApplication> {
  const { module, adapter, options } = apiParts(settings);
  const testing = await Test.createTestingModule({ imports: [module] })
    .overrideProvider(Clock)
    .useValue(clock)
    .setLogger(options.logger)
    .compile();
  return configureApi(testing.createNestApplication<NestFastifyApplication>(adapter, options));
}

interface DeskResources {
  readonly api: NestFastifyApplication;
  readonly clock: MovableClock;
  readonly environment: Record<string, string>;
  readonly sql: PgClient;
  readonly account: SeededAccount;
  readonly drop: () => Promise<void>;
}

export class Desk {
  readonly base: string;
  readonly settings: Settings;
  /** `/openapi.json`, against which every response to a client of this desk is checked. */
  readonly contract: OpenApiContract;
  private readonly stoppables: { stop(): Promise<unknown> }[] = [];

  constructor(private readonly parts: DeskResources) {
    this.base = baseUrlOf(parts.api.getHttpServer());
    this.settings = readSettings(parts.environment);
    this.contract = contractOf({ ...parts.api.get(OpenApiService, { strict: false }).read(), servers: [] });
  }

  get account(): SeededAccount {
    return this.parts.account;
  }
  get clock(): MovableClock {
    return this.parts.clock;
  }
  /** Direct access to the database, for what no response shows. */
  get sql(): PgClient {
    return this.parts.sql;
  }
  get environment(): Readonly<Record<string, string>> {
    return this.parts.environment;
  }
  get api(): NestFastifyApplication {
    return this.parts.api;
  }

  /** Acts as the owner of the account by default. */
  client(token = this.account.owner.token): ApiClient {
    return new ApiClient(this.base, token, this.contract);
  }
  anonymous(): ApiClient {
    return new ApiClient(this.base, undefined, this.contract);
  }

  async receiver(options: { replies?: Reply[] } = {}): Promise<Receiver> {
    return this.stopAtEnd(await Receiver.start(options));
  }

  async worker(settings: Readonly<Record<string, string>> = {}): Promise<AppProcess> {
    return this.stopAtEnd(new AppProcess('worker', { ...this.environment, ...settings }));
  }

  /** A second API on the same database, in its own process. */
  async apiProcess(settings: Readonly<Record<string, string>> = {}): Promise<AppProcess> {
    const port = `${await freePort()}`;
    const api = this.unreadyApi({ ...settings, PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
    await ready(api.base);
    return api;
  }

  /** An API that may never become ready. */
  unreadyApi(settings: Readonly<Record<string, string>>): AppProcess {
    return this.stopAtEnd(new AppProcess('api', { ...this.environment, ...settings }));
  }

  async webhook(event: string, url: string): Promise<{ id: string; secret: string }> {
    const answer = await this.client().post('/v1/webhooks', { event, url });
    if (answer.status !== 201) throw new Error(`webhook not registered: ${answer.text}`);
    return answer.body.webhook as { id: string; secret: string };
  }

  async stop(): Promise<void> {
    await Promise.all(this.stoppables.map((part) => part.stop()));
    await this.parts.api.close();
    await this.parts.sql.end();
    await this.parts.drop();
    await rm(this.parts.environment['DATA_DIR']!, { recursive: true, force: true });
  }

  private stopAtEnd<T extends { stop(): Promise<unknown> }>(part: T): T {
    this.stoppables.push(part);
    return part;
  }
}

function environmentOf(options: DeskOptions, databaseUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'test',
    SECRETS_KEY: `test:${randomBytes(32).toString('base64')}`,
    DATABASE_POOL_SIZE: '8',
    QUEUE_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    DATA_DIR: path.join(tmpdir(), `deskwire-test-${randomBytes(6).toString('hex')}`),
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    MAIL_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_RETRY_SCHEDULE: '0.2,0.2,0.2,0.2',
    RATE_LIMIT_PER_MINUTE: '100000',
    ...databaseSettings(options, databaseUrl),
    ...redisSettings(options),
    ...options.settings,
  };
}

function databaseSettings({ pooler, databaseServer }: DeskOptions, databaseUrl: string): Record<string, string> {
  const isOfRun = databaseServer === undefined;
  const used = pooler ?? (isOfRun ? behindPort('TEST_POOLER_PORT') : undefined);
  return used
    ? { DATABASE_URL: used.urlOf(databaseUrl), DATABASE_DIRECT_URL: databaseUrl }
    : { DATABASE_URL: databaseUrl };
}

/** `npm run faults -- --topology pgbouncer` puts a pooler in front of the server of the run. */
function behindPort(name: string): DeskOptions['pooler'] {
  const port = process.env[name];
  return port === undefined ? undefined : { urlOf: (url) => Object.assign(new URL(url), { port }).href };
}

/** `npm run faults -- --topology sentinel` and `cluster` set how to reach their Redis. */
function redisSettings({ queue, redisUrl }: DeskOptions): Record<string, string> {
  if (queue === 'postgres') return {};
  if (redisUrl !== undefined) return { REDIS_URL: redisUrl };
  const ofRun = process.env['TEST_REDIS_SETTINGS'];
  if (ofRun !== undefined) return JSON.parse(ofRun) as Record<string, string>;
  const url = process.env['REDIS_URL'];
  if (queue === 'redis' && !url) throw new Error('This test needs Redis; see `npm test` on how it is found.');
  return url ? { REDIS_URL: url } : {};
}
