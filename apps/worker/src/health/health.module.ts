import { BacklogService } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { FairnessModule } from '../fairness/fairness.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { HealthServer } from './health-server.js';
import { Heartbeat } from './heartbeat.js';
import { Readiness } from './readiness.js';
import { StartupChecks } from './startup-checks.js';
import { StateMetrics } from './state-metrics.js';

@Module({
  imports: [QueueModule, FairnessModule],
  providers: [HealthServer, Heartbeat, Readiness, StartupChecks, StateMetrics, BacklogService],
  exports: [HealthServer, Heartbeat, Readiness, StartupChecks],
})
export class HealthModule {}
