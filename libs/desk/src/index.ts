export { type Acting, Events } from './events.js';
