export { CustomerPane } from './customer-pane.js';
export { CustomerDto, IsCustomFields } from './customers.dto.js';
