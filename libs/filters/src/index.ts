export { type FilterTerm, MAX_FILTER_CHARACTERS, NONE, compileFilter, invalidFilter, matchesTerms } from './filter.js';
export { piecesOf } from './pieces.js';
export { type FilteredTicket, termsOf } from './terms.js';
