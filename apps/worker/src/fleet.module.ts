import { Global, Module } from '@nestjs/common';
import { LiveWorkers } from './live-workers.js';
import { WorkerTelemetry } from './telemetry/worker-telemetry.js';

/** What every part of a worker reports to, and how many workers there are. */
@Global()
@Module({ providers: [LiveWorkers, WorkerTelemetry], exports: [LiveWorkers, WorkerTelemetry] })
export class FleetModule {}
