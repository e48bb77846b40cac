export {
  type ActivityDescription,
  type Actor,
  deleteActivitiesBefore,
  deleteActivitiesOfTickets,
  describeTicketActivity,
  insertActivity,
  noteRestore,
  renumberEvents,
} from './event.statements.js';
export { type DomainEvent, EventsModule, EventsService } from './events.service.js';
