import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Settings } from '#libs/settings';
import { DataSource } from 'typeorm';
import { Bell } from './bell.js';
import { Clock } from './clock.js';
import { createDataSource } from './data-source.js';
import { Database } from './database.js';
import { openDataSource } from './open-data-source.js';
import { Transactions } from './transactions.js';

@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** Tests give a clock that they can move. */
  static forRoot(settings: Settings, app: string, clock = new Clock(), session?: string): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        Bell,
        { provide: Clock, useValue: clock },
        Database,
        Transactions.provider(),
        { provide: DataSource, useFactory: () => openDataSource(() => createDataSource(settings, app, session)) },
      ],
      exports: [Bell, Clock, Database, DataSource, Transactions],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
