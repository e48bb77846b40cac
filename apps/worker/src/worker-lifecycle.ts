import { LOGGER, type Logger } from '#libs/telemetry';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HealthServer } from './health/health-server.js';

/** Something that runs from start to stop. */
export interface BackgroundService {
  start(): void;
  stop(): Promise<void>;
}

export const BACKGROUND_SERVICES = Symbol('parts of the pipeline');

/** Starts the services from the end of the flow to its beginning, and stops them in reverse, so no work reaches a stopped one. */
@Injectable()
export class WorkerLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly health: HealthServer,
    @Inject(BACKGROUND_SERVICES) private readonly services: readonly BackgroundService[],
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const port = await this.health.start();
    for (const part of this.services) part.start();
    this.logger.info({ port }, 'the worker is running');
  }

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.logger.info({ signal }, 'stopping');
    this.health.drain();
    for (const part of this.services.toReversed()) await part.stop();
    await this.health.stop();
    this.logger.info('stopped');
  }
}
