/** What other nouns may import. */
export { ActivitySentence } from './activity-sentence.js';
