import { Global, Module } from '@nestjs/common';
import { LiveWorkersService } from './live-workers.service.js';
import { WorkerMetrics } from './telemetry/worker-metrics.js';

/** What every part of a worker reports to, and how many workers there are. */
@Global()
@Module({ providers: [LiveWorkersService, WorkerMetrics], exports: [LiveWorkersService, WorkerMetrics] })
export class FleetModule {}
