export {
  type ActivityDescription,
  type Actor,
  CUSTOMER,
  NO_ACTOR,
  type Receiver,
  deleteActivitiesBefore,
  deleteActivitiesOfTickets,
  describeTicketActivity,
  insertActivity,
  noteRestore,
  renumberEvents,
} from './event.statements.js';
export { type CommittedEvent, type DomainEvent, EventsModule, EventsService, HandOver } from './events.service.js';
