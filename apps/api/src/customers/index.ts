export { CustomerPane } from './customer-pane.js';
export { CustomerDto } from './customers.dto.js';
