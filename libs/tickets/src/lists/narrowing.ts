import type { Conditions } from '#libs/lists';
import type { Reference } from '../references.js';
import { SNOOZED, type TicketStateFilter } from './ticket-states.js';

interface TableReference extends Reference {
  readonly table: string;
  readonly nameColumn: string;
}

export const inTable = (table: string, nameColumn: string, named: Reference): TableReference => ({
  table,
  nameColumn,
  ...named,
});

/** A subquery, so that the list is read from the index of this column. */
export function pointsAt(
  conditions: Conditions,
  column: string,
  { table, nameColumn, name, id }: TableReference,
): string {
  const found = id === null ? `${nameColumn} = ${conditions.bind(name)}` : `id = ${conditions.bind(id)}`;
  return `${column} = (select id from ${table} where account_id = $1 and ${found})`;
}

export function inStates(conditions: Conditions, wanted: readonly TicketStateFilter[]): string {
  const states = wanted.filter((state) => state !== SNOOZED);
  const found = [
    ...(states.length > 0 ? [equalsAny(conditions, 't.state', states)] : []),
    ...(states.length < wanted.length ? ['t.snoozed_until is not null'] : []),
  ];
  return `(${found.join(' or ')})`;
}

/** An index can sort by other columns after one equality, but not after a list of values. */
function equalsAny(conditions: Conditions, column: string, values: readonly string[]): string {
  if (values.length === 1) return `${column} = ${conditions.bind(values[0])}`;
  return `${column} = any(${conditions.bind(values)})`;
}
