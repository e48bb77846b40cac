import { InvalidField, TICKET_PRIORITIES, TICKET_STATES } from '#libs/entities';
import { type Piece, piecesOf } from './pieces.js';
import { folded, termOf } from './terms.js';

export const MAX_FILTER_CHARACTERS = 500;

/** Each is compared with every event of the kind. */
const MAX_TERMS = 24;

export const NONE = 'none';
const CAN_BE_NONE = new Set(['priority', 'assignee', 'group']);

const OPERATORS = ['tag', 'mailbox', 'priority', 'assignee', 'group', 'is', 'state'];
const VALUES = new Map<string, readonly string[]>([
  ['priority', [...TICKET_PRIORITIES, NONE]],
  ['is', TICKET_STATES],
  ['state', TICKET_STATES],
]);

export type FilterTerm = Piece & { readonly term: string };

export function compileFilter(text: string): FilterTerm[] {
  const pieces = piecesOf(text);
  if (pieces.length > MAX_TERMS) throw invalidFilter(`at most ${MAX_TERMS} terms are allowed`);
  return pieces.map((piece) => ({ ...piece, term: compilePiece(piece) }));
}

export const matchesTerms = (filter: readonly FilterTerm[], terms: readonly string[]): boolean =>
  filter.every(({ term, excluded }) => terms.includes(term) !== excluded);

function compilePiece({ text, operator, value, isQuoted }: Piece): string {
  if (!OPERATORS.includes(operator)) throw invalidFilter(`${text} has none of the operators ${OPERATORS.join(', ')}`);
  if (isQuoted && !text.endsWith(`"${value}"`)) throw invalidFilter(`${text} needs a closing quotation mark`);
  const wanted = folded(value);
  if (wanted === '') throw invalidFilter(`${text} needs a value right behind it`);
  const values = VALUES.get(operator);
  if (values?.includes(wanted) === false) throw invalidFilter(`${text} is none of ${values.join(', ')}`);
  const isNone = wanted === NONE && CAN_BE_NONE.has(operator);
  return termOf(operator === 'state' ? 'is' : operator, isNone ? '' : wanted);
}

export const invalidFilter = (message: string): InvalidField =>
  new InvalidField('filter', 'invalid_filter', `filter: ${message}`);
