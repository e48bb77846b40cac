import type { ModuleMetadata } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { EventKindsController, EventsController } from './events.controller.js';

export const EVENTS_PARTS = {
  controllers: [AuditController, EventKindsController, EventsController],
} satisfies ModuleMetadata;
