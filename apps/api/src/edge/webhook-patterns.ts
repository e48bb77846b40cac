export { WEBHOOK_ADDRESS, WEBHOOK_SECRET } from './field-patterns.js';
