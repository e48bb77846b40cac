/** The exports for other nouns. */
export { dtoSchema } from './dto-schema.js';
export { withoutNull } from './request-bodies.js';
