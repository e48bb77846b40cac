import { AuditController } from './audit.controller.js';
import { EventKindsController, EventsController } from './events.controller.js';

export const EVENTS = {
  controllers: [AuditController, EventKindsController, EventsController],
};
