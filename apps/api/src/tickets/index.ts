export { MAX_TICKETS_AT_ONCE } from './inbox/bulk-actions.controller.js';
export { AssigneeDto } from './ticket-parts.dto.js';
