import { type DynamicModule, Global, Module } from '@nestjs/common';
import { EventLoopWatch } from './event-loop-watch.js';
import type { Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { OutageLog } from './outage-log.js';

/** Inject with `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('logger');

@Global()
@Module({})
export class TelemetryModule {
  static forRoot(app: string, logger: Logger, outages = new OutageLog(logger)): DynamicModule {
    return {
      module: TelemetryModule,
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: OutageLog, useValue: outages },
        { provide: Metrics, useValue: new Metrics(app) },
        {
          provide: EventLoopWatch,
          inject: [Metrics],
          useFactory: (metrics: Metrics) => new EventLoopWatch(metrics, logger),
        },
      ],
      exports: [LOGGER, OutageLog, Metrics, EventLoopWatch],
    };
  }
}
