export { type CompiledFilter, type NamedRecord, MAX_FILTER_CHARACTERS, compileFilter, matchesTerms } from './filter.js';
export { type Piece, piecesOf } from './pieces.js';
export { type FilteredTicket, termsOf, termsOfTicket } from './terms.js';
