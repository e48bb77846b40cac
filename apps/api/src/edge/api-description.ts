export { ApiDescription, apiDescriptionOf } from './api-operation.decorator.js';
