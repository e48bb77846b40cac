/** What other nouns may import. */
export { CustomerPane } from './customer-pane.js';
export { CustomerDto } from './customer.dto.js';
export { deletedTicket, type FormerTicket, isChanged, parseFormer, undoForm } from './former-tickets.js';
