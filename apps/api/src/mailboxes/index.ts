/** What other nouns may import. */
export { QUARANTINE_PATH } from './quarantine-path.js';
