import { LOGGER, type Logger } from '#libs/telemetry';
import { DeliveryQueue } from '#libs/delivery';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HealthServer } from './health/health-server.js';
import { StartupChecksService } from './startup-checks.service.js';

interface Running {
  start(): void;
  stop(): Promise<void>;
}

export type BackgroundService = Running | { readonly loop: Running };

export const BACKGROUND_SERVICES = Symbol('parts of the pipeline');

/** Stops in reverse order, so no work reaches a stopped service. */
@Injectable()
export class WorkerLifecycleService implements BeforeApplicationShutdown {
  private readonly parts: readonly Running[];
  private isStopping = false;

  constructor(
    private readonly health: HealthServer,
    private readonly queue: DeliveryQueue,
    private readonly checks: StartupChecksService,
    @Inject(BACKGROUND_SERVICES) services: readonly BackgroundService[],
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.parts = services.map((service) => ('start' in service ? service : service.loop));
  }

  /** The process must handle signals by then: it may be asked to stop as soon as it is ready. */
  async start(): Promise<void> {
    const port = await this.health.start();
    await this.checks.pass();
    if (this.isStopping) return;
    for (const part of this.parts) part.start();
    this.logger.info({ port }, 'the worker is running');
  }

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.isStopping = true;
    this.logger.info({ signal }, 'stopping');
    this.health.drain();
    for (const part of this.parts.toReversed()) await part.stop();
    await this.queue.close();
    await this.health.stop();
    this.logger.info('stopped');
  }
}
