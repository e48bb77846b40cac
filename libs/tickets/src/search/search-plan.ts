import type { AccountConnection } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { customersInCommon, shared } from './search-in-common.js';
import { MAX_CANDIDATES, type Sampled, sampleParts } from './search-sample.js';
import { type PartWithLookup, hasLookup } from './search-lookups.js';
import type { SoughtPart } from './search-part.js';

/**
 * How a search is answered. With few candidates, they are looked up and checked for the other parts. Otherwise the
 * newest tickets are walked.
 */
export interface SearchPlan {
  readonly parts: readonly PlannedPart[];
  readonly candidates: Candidates | null;
  /** Share of the newest tickets that match all parts (0 to 1). */
  readonly density: number;
}

export interface PlannedPart {
  readonly part: SoughtPart;
  /** Which candidates already match the part. */
  readonly holds: Holds;
  /** All tickets with the words, if known. */
  readonly tickets: readonly string[] | null;
  /** All customers with the words, if known. */
  readonly customers: readonly string[] | null;
  /** Share of the newest tickets that match; 1 if unknown. */
  readonly share: number;
}

export type Holds = 'of all' | 'of the customers' | 'not surely';

/** Every match is one of these tickets, or a ticket of these customers. */
export interface Candidates {
  readonly tickets: readonly string[];
  readonly customers: readonly string[];
  /** Few enough to look up. Otherwise the tickets of a walk are compared with them. */
  readonly areFew: boolean;
  /** Upper bound of their share of the newest tickets. */
  readonly share: number;
}

interface Choice extends Omit<Candidates, 'areFew'> {
  readonly size: number;
  readonly holding: readonly SoughtPart[];
  readonly holds: Holds;
}

/** Chooses by sampled counts, because PostgreSQL cannot estimate word prefixes. */
@Injectable()
export class SearchPlanner {
  /** Round trips: 1; 0 without words; 2 to find customers that match all parts. */
  async plan(connection: AccountConnection, parts: readonly SoughtPart[]): Promise<SearchPlan> {
    const open = parts.filter((part): part is SoughtPart & PartWithLookup => !part.excluded && hasLookup(part));
    const { found, density } = await sampleParts(connection, open);
    const choice = await choose(connection, found);
    const planned = parts.map((part) => {
      const { tickets = null, customers = null, share = 1 } = found.find((one) => one.part === part) ?? {};
      const holds = choice?.holding.includes(part) ? choice.holds : 'not surely';
      return { part, holds, tickets, customers, share };
    });
    const candidates = choice ? { ...choice, areFew: areFew(choice) } : null;
    return { parts: planned, candidates, density };
  }
}

const areFew = ({ size }: Pick<Choice, 'size'>): boolean => size <= MAX_CANDIDATES;

/** The smallest choice that can be looked up, or else the most selective. */
async function choose(connection: AccountConnection, found: readonly Sampled[]): Promise<Choice | undefined> {
  const choices = choicesOf(found);
  const [few] = choices.filter(areFew).toSorted((a, b) => a.size - b.size);
  return few ?? (await inCommon(connection, found)) ?? choices.toSorted((a, b) => a.share - b.share)[0];
}

const ALL = { holds: 'of all' } as const;

/**
 * One choice for each part whose matches are all known, and one for the intersection of parts that match no customer.
 */
function choicesOf(found: readonly Sampled[]): Choice[] {
  const choices = found.flatMap(({ part, share, tickets, customers, ticketsOfCustomers }): Choice[] => {
    if (tickets === null || customers === null || customers.length === 0) return [];
    return [{ ...ALL, tickets, customers, share, size: tickets.length + ticketsOfCustomers, holding: [part] }];
  });
  const inTickets = found.filter(({ tickets, customers }) => tickets !== null && customers?.length === 0);
  if (inTickets.length > 0) {
    const tickets = inTickets.map((one) => one.tickets!).reduce(shared);
    const holding = inTickets.map(({ part }) => part);
    choices.push({ ...ALL, tickets, customers: [], size: tickets.length, share: 0, holding });
  }
  return choices;
}

/**
 * A ticket that matches all parts has a customer who matches all of them, or words of at least one part. So a frequent
 * first name and a frequent last name can still be few customers.
 */
async function inCommon(connection: AccountConnection, found: readonly Sampled[]): Promise<Choice | undefined> {
  const known = found.filter(({ tickets }) => tickets !== null);
  if (known.length < 2) return undefined;
  const tickets = [...new Set(known.flatMap((one) => one.tickets!))];
  if (tickets.length > MAX_CANDIDATES) return undefined;
  const common = await customersInCommon(connection, known);
  if (!common) return undefined;
  return {
    tickets,
    customers: common.customers,
    size: tickets.length + common.tickets,
    share: Math.min(...known.map(({ share }) => share)),
    holding: known.map(({ part }) => part),
    holds: tickets.length === 0 ? 'of all' : 'of the customers',
  };
}
