import type { ModuleMetadata } from '@nestjs/common';
import { ApiClockService } from './api-clock.service.js';
import { ApiReadinessService } from './api-readiness.service.js';
import { HealthController } from './health.controller.js';

export const HEALTH_PARTS = {
  controllers: [HealthController],
  providers: [ApiClockService, ApiReadinessService],
} satisfies ModuleMetadata;
