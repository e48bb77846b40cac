/** Parts that other nouns may import. */
export { ActivitySentence } from './activity-description.js';
