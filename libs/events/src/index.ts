export {
  type ActivityDescription,
  type Actor,
  type OutboxEvent,
  deleteActivitiesBefore,
  deleteActivitiesOfTickets,
  describeTicketActivity,
  insertActivity,
  noteRestore,
  renumberEvents,
} from './event.statements.js';
export { type DomainEvent, EventsModule, EventsService, HandOver } from './events.service.js';
