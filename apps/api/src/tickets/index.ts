/** What other nouns may import. */
export { MAX_TICKETS_AT_ONCE } from './inbox/whole-search.reader.js';
export { AssigneeDto } from './ticket-parts.dto.js';
