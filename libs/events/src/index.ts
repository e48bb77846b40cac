export {
  type ActivityDescription,
  type Actor,
  deleteActivitiesBefore,
  deleteActivitiesOfTickets,
  describeTicketActivity,
  insertActivity,
} from './activity.statements.js';
export { noteRestore, renumberEvents } from './event.statements.js';
export { EventsModule } from './events.module.js';
export { type DomainEvent, EventsService } from './events.service.js';
