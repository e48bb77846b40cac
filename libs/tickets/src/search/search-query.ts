import { InvalidField, TICKET_PRIORITIES, TICKET_STATES, type TicketPriority } from '#libs/entities';
import { NONE, piecesOf } from '#libs/filters';
import { SNOOZED, type TicketStateFilter } from '../lists/folders.js';
import { type Word, wordsOf } from './words.js';

export type SearchPart =
  | {
      readonly kind: 'words';
      readonly words: readonly Word[];
      readonly isExact: boolean;
      readonly number: number | null;
    }
  | { readonly kind: 'number'; readonly number: number | null }
  | { readonly kind: 'customer'; readonly words: readonly Word[]; readonly isExact: boolean }
  | { readonly kind: 'assignee'; readonly person: string }
  | { readonly kind: 'tag'; readonly name: string }
  | { readonly kind: 'mailbox' | 'group'; readonly name: string }
  | { readonly kind: 'priority'; readonly priority: TicketPriority | typeof NONE }
  | { readonly kind: 'state'; readonly state: TicketStateFilter | 'open' }
  | { readonly kind: 'attachment' }
  | { readonly kind: 'created'; readonly side: 'before' | 'after'; readonly time: Date }
  | { readonly kind: 'waiting' };

export type SoughtPart = SearchPart & { readonly excluded: boolean };

/** Each costs an index lookup. */
const MAX_PARTS = 24;

/** Parses any text. Refuses only impossible values, such as a day that does not exist. */
export function parseSearch(text: string): SoughtPart[] {
  const parts: SoughtPart[] = [];
  for (const { excluded, operator, value, isQuoted } of piecesOf(text)) {
    const part = operatorPart(operator, value, isQuoted) ?? wordsPart(operator, value, isQuoted);
    if (part) parts.push({ ...part, excluded });
    if (parts.length > MAX_PARTS)
      throw new InvalidField('q', 'too_many_words', `a search has at most ${MAX_PARTS} words and operators`);
  }
  return parts;
}

const NUMBER = /^(#?)(\d{1,10})$/;
const MAX_NUMBER = 2_147_483_647;

/** Text with an unknown operator is text. Text without a letter or digit is ignored. */
function wordsPart(before: string, value: string, isExact: boolean): SearchPart | null {
  const text = before === '' ? value : `${before}:${value}`;
  const [, hash, digits] = (!isExact && NUMBER.exec(text)) || [];
  const number = digits !== undefined && Number(digits) <= MAX_NUMBER ? Number(digits) : null;
  if (hash === '#') return { kind: 'number', number };
  const words = wordsOf(text);
  return words.length === 0 ? null : { kind: 'words', words, isExact, number };
}

export const SEARCH_OPERATORS = [
  { operator: 'from:', example: 'from:ana', finds: 'the customer, by words of name, email and company' },
  { operator: 'assignee:', example: 'assignee:me', finds: 'the assignee: `me`, `nobody`, an email or a name' },
  { operator: 'group:', example: 'group:billing', finds: 'the assigned group, by name, or `none`' },
  { operator: 'mailbox:', example: 'mailbox:billing', finds: 'the mailbox, by name or email' },
  { operator: 'priority:', example: 'priority:high', finds: `${TICKET_PRIORITIES.join(', ')}, or \`none\`` },
  { operator: 'tag:', example: 'tag:refund', finds: 'a tag' },
  {
    operator: 'state:',
    example: 'state:pending',
    finds: `${[...TICKET_STATES, SNOOZED].join(', ')}, or \`open\` for all except closed and spam`,
  },
  { operator: 'has:', example: 'has:attachment', finds: 'files' },
  { operator: 'before:', example: 'before:2026-03-01', finds: 'started before that day, month or year (UTC)' },
  { operator: 'after:', example: 'after:2026', finds: 'started on that date or later' },
  {
    operator: 'is:',
    example: 'is:waiting',
    finds: 'open, and the customer waits for a reply',
  },
] as const;

function operatorPart(name: string, value: string, isExact: boolean): SearchPart | undefined {
  const read = READERS.get(name);
  if (read && value.trim() === '') throw refusal(`${name}: needs a value right behind it`);
  return read?.(value.trim(), isExact);
}

type Reader = (value: string, isExact: boolean) => SearchPart;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['from', readCustomer],
  ['assignee', (person) => ({ kind: 'assignee', person })],
  ['tag', (name) => ({ kind: 'tag', name })],
  ['mailbox', (name) => ({ kind: 'mailbox', name })],
  ['group', (name) => ({ kind: 'group', name })],
  ['priority', (value) => ({ kind: 'priority', priority: oneOf([...TICKET_PRIORITIES, NONE], 'priority', value) })],
  ['state', (value) => readState('state', value)],
  ['has', readHas],
  ['before', (value) => ({ kind: 'created', side: 'before', time: dayOf('before', value) })],
  ['after', (value) => ({ kind: 'created', side: 'after', time: dayOf('after', value) })],
  ['is', (value) => (/^(waiting|unanswered)$/i.test(value) ? { kind: 'waiting' } : readState('is', value))],
]);

/** Such as `foo` in `foo:bar`, but not `https` or `re` in `https://shop.example re: order`. */
export const unknownOperators = (text: string): string[] =>
  piecesOf(text)
    .filter(({ operator, value }) => operator !== '' && !READERS.has(operator) && /^[\p{L}\p{N}]/u.test(value))
    .map(({ operator }) => operator);

function readCustomer(value: string, isExact: boolean): SearchPart {
  const words = wordsOf(value);
  if (words.length === 0) throw refusal('from: needs a name or an email');
  return { kind: 'customer', words, isExact };
}

function readHas(value: string): SearchPart {
  if (/^(attachments?|files?)$/i.test(value)) return { kind: 'attachment' };
  throw refusal('has: knows only has:attachment');
}

const STATES = [...TICKET_STATES, SNOOZED, 'open'] as const;

function readState(operator: string, value: string): SearchPart {
  return { kind: 'state', state: oneOf(STATES, operator, value) };
}

function oneOf<Value extends string>(known: readonly Value[], operator: string, value: string): Value {
  const found = known.find((one) => one === value.toLowerCase());
  if (!found) throw refusal(`${operator}: knows ${operator === 'is' ? 'waiting, ' : ''}${known.join(', ')}`);
  return found;
}

const DAY = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/;

function dayOf(operator: string, value: string): Date {
  const [, year, month = '01', day = '01'] = DAY.exec(value) ?? [];
  const time = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const exists = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(`${year}-${month}-${day}`);
  if (!exists || year === '0000')
    throw refusal(`${operator}: needs a day, a month or a year, such as 2026-03-31, 2026-03 or 2026`);
  return time;
}

const refusal = (message: string): InvalidField => new InvalidField('q', 'invalid_search', message);
