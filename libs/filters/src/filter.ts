import { InvalidField, TICKET_PRIORITIES, TICKET_STATES } from '#libs/entities';
import { type Piece, piecesOf } from './pieces.js';
import { NONE, folded, termOf } from './terms.js';

export const MAX_FILTER_CHARACTERS = 500;

/** Each is compared with every event of the kind. */
const MAX_TERMS = 24;

/** A ticket matches if its terms include all of `all` and none of `none`. */
export interface CompiledFilter {
  readonly all: readonly string[];
  readonly none: readonly string[];
  /** The records that the filter names, which should exist. */
  readonly names: readonly NamedRecord[];
}

export interface NamedRecord {
  /** `mailbox`, `assignee` or `group`. */
  readonly operator: string;
  readonly name: string;
}

/** Throws `InvalidField` with the word that is not understood. */
export function compileFilter(text: string): CompiledFilter {
  const pieces = piecesOf(text);
  if (pieces.length > MAX_TERMS) throw refusal(`a filter has at most ${MAX_TERMS} terms`);
  const compiled = pieces.map((piece) => ({ ...piece, term: compilePiece(piece) }));
  const termsWith = (excluded: boolean) => compiled.filter((one) => one.excluded === excluded).map(({ term }) => term);
  const naming = compiled.filter(({ operator, term }) => NAMING.has(operator) && !term.endsWith(':'));
  const names = naming.map(({ operator = '', value }) => ({ operator, name: value.trim() }));
  return { all: termsWith(false), none: termsWith(true), names };
}

export const matchesTerms = ({ all, none }: Pick<CompiledFilter, 'all' | 'none'>, terms: readonly string[]): boolean =>
  all.every((term) => terms.includes(term)) && !none.some((term) => terms.includes(term));

interface Operator {
  readonly term: string;
  /** Without them, any value is allowed. */
  readonly values?: readonly string[];
  readonly canBeNone?: true;
}

const STATE: Operator = { term: 'is', values: TICKET_STATES };

const OPERATORS: ReadonlyMap<string | undefined, Operator> = new Map<string, Operator>([
  ['tag', { term: 'tag' }],
  ['mailbox', { term: 'mailbox' }],
  ['priority', { term: 'priority', values: [...TICKET_PRIORITIES, NONE], canBeNone: true }],
  ['assignee', { term: 'assignee', canBeNone: true }],
  ['group', { term: 'group', canBeNone: true }],
  ['is', STATE],
  ['state', STATE],
]);

const NAMING: ReadonlySet<string | undefined> = new Set(['mailbox', 'assignee', 'group']);

function compilePiece({ text, operator, value, isQuoted }: Piece): string {
  const known = OPERATORS.get(operator);
  if (!known) throw refusal(`${text}: a filter has only the operators ${[...OPERATORS.keys()].join(', ')}`);
  if (isQuoted && !text.endsWith(`"${value}"`)) throw refusal(`${text}: the quotation mark is not closed`);
  const wanted = folded(value);
  if (wanted === '') throw refusal(`${text} needs a value right behind it`);
  if (known.values && !known.values.includes(wanted))
    throw refusal(`${text}: ${operator}: takes only ${known.values.join(', ')}`);
  return termOf(known.term, known.canBeNone && wanted === NONE ? '' : wanted);
}

const refusal = (message: string): InvalidField => new InvalidField('filter', 'invalid_filter', `filter: ${message}`);
