import type { AccountConnection } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { customersInCommon, shared } from './search-in-common.js';
import { MAX_CANDIDATES, type Sampled, sampleParts } from './search-sample.js';
import { type PartWithLookup, hasLookup } from './search-lookups.js';
import type { SoughtPart } from './search-part.js';

/**
 * How a search is answered. What is known to be among few candidates is looked up, and what else is sought is asked of
 * each of them. Otherwise the newest tickets are looked through.
 */
export interface SearchPlan {
  readonly parts: readonly PlannedPart[];
  readonly candidates: Candidates | null;
  /** Of the newest tickets, so large a part is found. */
  readonly density: number;
}

export interface PlannedPart {
  readonly part: SoughtPart;
  /** Which candidates need not be asked for it. */
  readonly holds: Holds;
  /** In which it stands, if all are known. */
  readonly tickets: readonly string[] | null;
  /** Whom it finds, if it is known. */
  readonly customers: readonly string[] | null;
  /** Of the newest tickets, in so large a part it is true; all where nobody knows. */
  readonly share: number;
}

/** A part is true of all candidates, of those that are tickets of the customers, or it must be asked. */
export type Holds = 'of all' | 'of the customers' | 'not surely';

/** What is found is among these, and the tickets of these customers. */
export interface Candidates {
  readonly tickets: readonly string[];
  readonly customers: readonly string[];
  /** So few that all are looked up. Otherwise the tickets of a walk are compared with them. */
  readonly areFew: boolean;
  /** They are so large a part of the newest tickets at most. */
  readonly share: number;
}

interface Choice extends Omit<Candidates, 'areFew'> {
  readonly size: number;
  readonly holding: readonly SoughtPart[];
  readonly holds: Holds;
}

/** Decides how the parts of a search are looked for, by what they find and not by what PostgreSQL believes. */
@Injectable()
export class SearchPlanner {
  /** Round trips: 1, none where nothing can be looked up, and 1 more where only what customers have in common is rare. */
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

/** What finds few, or else what is known and leaves fewest. */
async function choose(connection: AccountConnection, found: readonly Sampled[]): Promise<Choice | undefined> {
  const choices = choicesOf(found);
  const [few] = choices.filter(areFew).toSorted((a, b) => a.size - b.size);
  return few ?? (await inCommon(connection, found)) ?? choices.toSorted((a, b) => a.share - b.share)[0];
}

const ALL = { holds: 'of all' } as const;

/** Each part that is wholly known. What no customer has is compared here and now. */
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
 * A ticket of which all parts are true has a customer whom they all find, or words of one of them. So a first and a last
 * name that many have are still few customers.
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
