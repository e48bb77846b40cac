export { type Actor, deleteActivitiesBefore, deleteActivitiesOfTickets, insertActivity } from './activities.js';
export { type ActivityDescription, describeTicketActivity } from './activity-description.js';
export { EventsModule } from './events.module.js';
export { type DomainEvent, EventsService } from './events.service.js';
export { noteRestore, renumberEvents } from './restores.js';
