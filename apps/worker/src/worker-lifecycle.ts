import { LOGGER, type Logger } from '#libs/telemetry';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HealthServer } from './health/health-server.js';

/** Something that runs from start to stop. */
export interface Part {
  start(): void;
  stop(): Promise<void>;
}

export const PARTS = Symbol('parts of the pipeline');

/** Starts the parts from the end of the flow to its beginning, and stops them the other way: nothing enters a closed door. */
@Injectable()
export class Pipeline implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly health: HealthServer,
    @Inject(PARTS) private readonly parts: readonly Part[],
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const port = await this.health.start();
    for (const part of this.parts) part.start();
    this.logger.info({ port }, 'the worker is running');
  }

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.logger.info({ signal }, 'stopping');
    this.health.drain();
    for (const part of this.parts.toReversed()) await part.stop();
    await this.health.stop();
    this.logger.info('stopped');
  }
}
