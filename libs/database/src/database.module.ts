import { setTimeout as delay } from 'node:timers/promises';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Bell } from './bell.js';
import { Clock } from './clock.js';
import { dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { Transactions } from './transactions.js';
import { isTransientError } from './transient-error.js';

interface Connections {
  /** As PostgreSQL shows it in `application_name`. */
  readonly app: string;
  /** Past a pooler that shares sessions, for what belongs to one. */
  readonly direct?: boolean;
  /** How PostgreSQL is to plan for these connections, as in its `options` parameter. */
  readonly plannerOptions?: string;
  /** For the demonstration, which makes the past of its desk; tests override the provider. */
  readonly clock?: Clock;
}

@Global()
@Module({})
export class DatabaseModule {
  static forRoot(connections: Connections): DynamicModule {
    const clock = connections.clock ? { provide: Clock, useValue: connections.clock } : Clock;
    return {
      module: DatabaseModule,
      imports: [dataSource(connections)],
      providers: [Bell, clock, Database, Transactions.provider()],
      exports: [Bell, Clock, Database, Transactions],
    };
  }
}

/** Each library then names the tables it works with: `TypeOrmModule.forFeature([Group])`. */
function dataSource({ app, direct, plannerOptions }: Connections): DynamicModule {
  return TypeOrmModule.forRootAsync({
    inject: [SETTINGS_TOKEN],
    useFactory: (settings: Settings) => ({
      ...dataSourceOptions(direct ? withDirectUrl(settings) : settings, app, plannerOptions),
      // We wait for PostgreSQL ourselves, and only for what passes.
      toRetry: () => false,
    }),
    dataSourceFactory: (options) => connect(options!),
  });
}

/** A restart or a failover may take so long; whoever starts a process with a wrong address should hear of it soon. */
const CONNECT_MS = 15_000;
const PAUSE_MS = 250;

/** A process that happens to start while PostgreSQL restarts waits for it, instead of ending. */
async function connect(options: DataSourceOptions): Promise<DataSource> {
  for (const end = performance.now() + CONNECT_MS; ; await delay(PAUSE_MS)) {
    try {
      return await new DataSource(options).initialize();
    } catch (error) {
      if (!isTransientError(error) || performance.now() > end) throw error;
    }
  }
}

/** The settings with the address of PostgreSQL itself. */
function withDirectUrl(settings: Settings): Settings {
  return { ...settings, DATABASE_URL: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL };
}
