/** The exports for other nouns. */
export { QUARANTINE_PATH } from './quarantine-path.js';
