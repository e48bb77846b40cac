/** The exports for other nouns. */
export { mcpRequestError } from './request-problem.js';
