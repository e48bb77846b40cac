import { Module } from '@nestjs/common';
import { WorkerTelemetryModule } from '../telemetry/worker-telemetry.module.js';
import { ReplayRunnerService } from './replay-runner.service.js';

@Module({ imports: [WorkerTelemetryModule], providers: [ReplayRunnerService], exports: [ReplayRunnerService] })
export class ReplaysModule {}
