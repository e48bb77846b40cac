/** What other nouns may import. */
export { CustomerPane } from './customer-pane.js';
export { CustomerDto } from './customers.dto.js';
