import type { AccountConnection } from '#libs/database';
import { type PartWithLookup, hasLookup } from './part-conditions.js';
import type { SoughtPart } from './search-query.js';
import {
  MAX_CANDIDATES,
  type Sampled,
  findCustomersWithAll,
  intersection,
  sampleParts,
} from './search-sample.statements.js';

/**
 * How a search is answered. With few candidates, they are looked up and checked for the other parts. Otherwise the
 * newest tickets are walked.
 */
export interface SearchPlan {
  readonly parts: readonly PlannedPart[];
  readonly candidates: Candidates | null;
  /** From 0 to 1. */
  readonly density: number;
}

export interface PlannedPart {
  readonly part: SoughtPart;
  readonly provenFor: ProvenFor;
  /** All matches, if known. */
  readonly tickets: readonly string[] | null;
  readonly customers: readonly string[] | null;
  readonly share: number;
}

type ProvenFor = 'all candidates' | 'candidates by customer' | 'none';

/** Every match is one of these tickets, or a ticket of these customers. */
export interface Candidates {
  readonly tickets: readonly string[];
  readonly customers: readonly string[];
  readonly areFew: boolean;
  readonly share: number;
}

interface Choice extends Omit<Candidates, 'areFew'> {
  readonly size: number;
  readonly proven: readonly SoughtPart[];
  readonly provenFor: ProvenFor;
}

/** Round trips: 1; 0 without words; 2 to find customers that match all parts. */
export async function planSearch(connection: AccountConnection, parts: readonly SoughtPart[]): Promise<SearchPlan> {
  const open = parts.filter((part): part is SoughtPart & PartWithLookup => !part.excluded && hasLookup(part));
  const { found, density } = await sampleParts(connection, open);
  const choice = await choose(connection, found);
  const planned = parts.map((part) => {
    const { tickets = null, customers = null, share = 1 } = found.find((one) => one.part === part) ?? {};
    const provenFor = choice?.proven.includes(part) ? choice.provenFor : 'none';
    return { part, provenFor, tickets, customers, share };
  });
  const candidates = choice ? { ...choice, areFew: areFew(choice) } : null;
  return { parts: planned, candidates, density };
}

const areFew = ({ size }: Pick<Choice, 'size'>): boolean => size <= MAX_CANDIDATES;

async function choose(connection: AccountConnection, found: readonly Sampled[]): Promise<Choice | undefined> {
  const choices = choicesOf(found);
  const [few] = choices.filter(areFew).toSorted((a, b) => a.size - b.size);
  return few ?? (await customersOfAll(connection, found)) ?? choices.toSorted((a, b) => a.share - b.share)[0];
}

function choicesOf(found: readonly Sampled[]): Choice[] {
  const provenFor = 'all candidates' as const;
  const choices = found.flatMap(({ part, share, tickets, customers, ticketsOfCustomers }): Choice[] => {
    if (tickets === null || customers === null || customers.length === 0) return [];
    return [{ provenFor, tickets, customers, share, size: tickets.length + ticketsOfCustomers, proven: [part] }];
  });
  const inTickets = found.filter(({ tickets, customers }) => tickets !== null && customers?.length === 0);
  if (inTickets.length > 0) {
    const tickets = inTickets.map((one) => one.tickets!).reduce(intersection);
    const proven = inTickets.map(({ part }) => part);
    choices.push({ provenFor, tickets, customers: [], size: tickets.length, share: 0, proven });
  }
  return choices;
}

/**
 * A matching ticket has a customer who matches all parts, or words of at least one part. So a frequent first name and a
 * frequent last name can still be few customers.
 */
async function customersOfAll(connection: AccountConnection, found: readonly Sampled[]): Promise<Choice | undefined> {
  const known = found.filter(({ tickets }) => tickets !== null);
  if (known.length < 2) return undefined;
  const tickets = [...new Set(known.flatMap((one) => one.tickets!))];
  if (tickets.length > MAX_CANDIDATES) return undefined;
  const matches = await findCustomersWithAll(connection, known);
  if (!matches) return undefined;
  return {
    tickets,
    customers: matches.customers,
    size: tickets.length + matches.tickets,
    share: Math.min(...known.map(({ share }) => share)),
    proven: known.map(({ part }) => part),
    provenFor: tickets.length === 0 ? 'all candidates' : 'candidates by customer',
  };
}
