import { type AccountConnection, accountQuery, filter } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { MOST_CANDIDATES, type Sampled, sampleParts } from './search-sample.js';
import { type PartWithLookup, hasLookup } from './search-lookups.js';
import type { SoughtPart } from './search-part.js';

/**
 * How a search is answered. With candidates, what else is sought is asked of each of them. Without, the newest tickets are
 * looked through.
 */
export interface SearchPlan {
  readonly parts: readonly PlannedPart[];
  readonly candidates: Candidates | null;
  /** Of the newest tickets, so large a part is found. */
  readonly density: number;
}

export interface PlannedPart {
  readonly part: SoughtPart;
  /** True of all candidates, so nobody needs to ask. */
  readonly holds: boolean;
  /** Whom it finds, if it is known. */
  readonly customers: readonly string[] | null;
}

/** What finds is among these, and the tickets of these customers. */
export interface Candidates {
  readonly tickets: readonly string[];
  readonly customers: readonly string[];
}

interface Choice extends Candidates {
  readonly size: number;
  readonly holding: readonly SoughtPart[];
}

/** Decides how the parts of a search are looked for, by what they find and not by what PostgreSQL believes. */
@Injectable()
export class SearchPlanner {
  /** Round trips: 1, none where nothing can be looked up, and 1 more where only what customers have in common is rare. */
  async plan(connection: AccountConnection, parts: readonly SoughtPart[]): Promise<SearchPlan> {
    const open = parts.filter((part): part is SoughtPart & PartWithLookup => !part.excluded && hasLookup(part));
    const { found, density } = await sampleParts(connection, open);
    const choice = fewest(found) ?? (await inCommon(connection, found));
    const planned = parts.map((part) => ({
      part,
      holds: choice?.holding.includes(part) ?? false,
      customers: found.find((one) => one.part === part)?.customers ?? null,
    }));
    return { parts: planned, candidates: choice ?? null, density };
  }
}

/** Of what can be looked up, what finds fewest. What no customer has is compared here and now. */
function fewest(found: readonly Sampled[]): Choice | undefined {
  const choices = found.flatMap(({ part, tickets, customers, ticketsOfCustomers }): Choice[] => {
    if (tickets === null || customers === null || customers.length === 0) return [];
    return [{ tickets, customers, size: tickets.length + ticketsOfCustomers, holding: [part] }];
  });
  const inTickets = found.filter(({ tickets, customers }) => tickets !== null && customers?.length === 0);
  if (inTickets.length > 0) {
    const tickets = inTickets.map((one) => one.tickets!).reduce(shared);
    choices.push({ tickets, customers: [], size: tickets.length, holding: inTickets.map(({ part }) => part) });
  }
  return choices.filter(({ size }) => size <= MOST_CANDIDATES).toSorted((a, b) => a.size - b.size)[0];
}

/**
 * A ticket of which all parts are true has a customer whom they all find, or words of one of them. So a first and a last
 * name that many have are still few customers.
 */
async function inCommon(connection: AccountConnection, found: readonly Sampled[]): Promise<Choice | undefined> {
  const known = found.filter(({ tickets, customers }) => tickets !== null && customers !== null);
  if (known.length < 2) return undefined;
  const tickets = [...new Set(known.flatMap((one) => one.tickets!))];
  const customers = known.map((one) => one.customers!).reduce(shared);
  if (tickets.length > MOST_CANDIDATES) return undefined;
  const size = tickets.length + (customers.length > 0 ? await countTicketsOf(connection, customers) : 0);
  return size > MOST_CANDIDATES ? undefined : { tickets, customers, size, holding: [] };
}

function shared(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return some.filter((id) => known.has(id));
}

async function countTicketsOf(connection: AccountConnection, customers: readonly string[]): Promise<number> {
  const query = accountQuery(
    `select count(*)::integer as count from (
       select from unnest($2::uuid[]) k(id) cross join lateral (
         select from tickets t where t.customer_id = k.id and ${filter('t.account_id = $1')} limit ${MOST_CANDIDATES + 1}) x
       limit ${MOST_CANDIDATES + 1}) counted`,
  );
  return (await connection.row<{ count: number }>(query, [customers]))!.count;
}
