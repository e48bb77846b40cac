import { setTimeout as delay } from 'node:timers/promises';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Bell } from './bell.js';
import { Clock, DatabaseClock } from './clock.js';
import { type SessionSettings, dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { DatabaseUnusable, POSTGRESQL, describeDatabaseOutage, isTransientError } from './postgres-errors.js';
import { Transactions } from './transactions.js';

interface Connections {
  /** Part of `application_name` in PostgreSQL. */
  readonly app: string;
  readonly planning?: SessionSettings;
  /** A DatabaseClock is read before it is used. The demonstration has a clock that writes past events. */
  readonly clock?: Clock;
  readonly outages?: { lasts(server: string, words: string): void };
}

@Global()
@Module({})
export class DatabaseModule {
  static forRoot(connections: Connections): DynamicModule {
    const bell = { provide: Bell, inject: [Database], useFactory: (db: Database) => new Bell(db, connections.outages) };
    const clock = connections.clock ? { provide: Clock, useValue: connections.clock } : Clock;
    return {
      module: DatabaseModule,
      imports: [dataSource(connections)],
      providers: [bell, clock, Database, Transactions.provider()],
      exports: [Bell, Clock, Database, Transactions],
    };
  }
}

function dataSource({ app, planning, clock, outages }: Connections): DynamicModule {
  return TypeOrmModule.forRootAsync({
    inject: [SETTINGS_TOKEN],
    useFactory: (settings: Settings) => ({
      ...dataSourceOptions(settings, app, planning),
      // `connect` retries, after transient errors only.
      toRetry: () => false,
    }),
    dataSourceFactory: async (options) => {
      const connected = await connect(options!, outages);
      if (clock instanceof DatabaseClock) await clock.read(connected);
      return connected;
    },
  });
}

/** Long enough for a failover. */
const CONNECT_MS = 15_000;
const PAUSE_MS = 250;

/** An unresponsive host is logged before the connection times out. */
const LOGGED_AFTER_MS = 1_500;

/** PostgreSQL may restart while this process starts. */
async function connect(options: DataSourceOptions, outages: Connections['outages']): Promise<DataSource> {
  const logAway = (error: unknown) => outages?.lasts(POSTGRESQL, describeDatabaseOutage(error) ?? String(error));
  const timer = setTimeout(() => logAway({ message: 'timeout' }), LOGGED_AFTER_MS);
  try {
    return await connectWithin(options, logAway);
  } finally {
    clearTimeout(timer);
  }
}

async function connectWithin(options: DataSourceOptions, logAway: (error: unknown) => void): Promise<DataSource> {
  for (const end = performance.now() + CONNECT_MS; ; await delay(PAUSE_MS)) {
    try {
      return await new DataSource(options).initialize();
    } catch (error) {
      if (isRefusedByPooler(error)) throw new Error(POOLER_IN_BETWEEN, { cause: error });
      if (!isTransientError(error) || performance.now() > end) throw unusable(error);
      logAway(error);
    }
  }
}

function unusable(error: unknown): unknown {
  const words = describeDatabaseOutage(error);
  return words === undefined ? error : new DatabaseUnusable(words, { cause: error });
}

const POOLER_IN_BETWEEN =
  'DATABASE_URL leads through a pooler that shares sessions. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, and DATABASE_URL stays as it is';

const isRefusedByPooler = (error: unknown): boolean =>
  (error as Error).message.includes('unsupported startup parameter');
