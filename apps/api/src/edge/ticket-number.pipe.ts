export { TicketNumberOrNonePipe, TicketNumberPipe, ticketNumberOf } from './path-parameter.pipes.js';
