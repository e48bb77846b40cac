import { Global, Module } from '@nestjs/common';
import { WorkerTelemetry } from './worker-telemetry.js';

@Global()
@Module({ providers: [WorkerTelemetry], exports: [WorkerTelemetry] })
export class WorkerTelemetryModule {}
