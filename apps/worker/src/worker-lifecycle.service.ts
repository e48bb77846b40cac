import { LOGGER, type Logger } from '#libs/telemetry';
import { DeliveryQueue } from '#libs/webhooks';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HealthServer } from './health/health-server.js';
import { StartupChecksService } from './health/startup-checks.service.js';

interface Running {
  start(): void;
  stop(): Promise<void>;
}

export type BackgroundService = Running | { readonly loop: Running };

export const BACKGROUND_SERVICES = Symbol('parts of the pipeline');

/** Stops in reverse order, so no work reaches a stopped service. */
@Injectable()
export class WorkerLifecycleService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly parts: readonly Running[];

  constructor(
    private readonly health: HealthServer,
    private readonly queue: DeliveryQueue,
    private readonly checks: StartupChecksService,
    @Inject(BACKGROUND_SERVICES) services: readonly BackgroundService[],
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.parts = services.map((service) => ('start' in service ? service : service.loop));
  }

  async onApplicationBootstrap(): Promise<void> {
    const port = await this.health.start();
    await this.checks.pass();
    for (const part of this.parts) part.start();
    this.logger.info({ port }, 'the worker is running');
  }

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.logger.info({ signal }, 'stopping');
    this.health.drain();
    for (const part of this.parts.toReversed()) await part.stop();
    await this.queue.close();
    await this.health.stop();
    this.logger.info('stopped');
  }
}
