/** What other nouns may import. */
export { PeopleReader } from './people.reader.js';
