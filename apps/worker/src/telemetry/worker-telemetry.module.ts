import { Module } from '@nestjs/common';
import { WorkerTelemetry } from './worker-telemetry.js';

@Module({ providers: [WorkerTelemetry], exports: [WorkerTelemetry] })
export class WorkerTelemetryModule {}
