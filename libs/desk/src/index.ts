export { tellOfTicket, type Told } from './activities.js';
export { DeskModule } from './desk.module.js';
export { type Acting, Events } from './events.js';
export { type CustomerFields } from './customer.rows.js';
export { type NewTicket, TicketsService } from './tickets.service.js';
