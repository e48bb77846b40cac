/** The exports for other nouns. */
export { MAX_TICKETS_AT_ONCE } from './inbox/bulk-actions.controller.js';
export { UNDOABLE_MS } from './inbox/undo.service.js';
export { type InboxQuery, forwardPath, inboxPath, parseInboxQuery, ticketPath, toSearchParams } from './inbox-query.js';
export { AssigneeDto, ChangeTicketDto } from './ticket-parts.dto.js';
export { TicketsQueryDto } from './tickets-query.dto.js';
