/**
 * What decides a plan in the tables that fill and empty with the work. PostgreSQL may believe that such a table is empty
 * while it holds a million rows, and then every way to read it seems to cost nothing. So a statement leaves it no choice.
 * docs/decisions/steady-plans.md says more.
 */

/**
 * A join that only goes from the key to its row, for what an update or a delete joins. `column = key` goes both ways:
 * PostgreSQL may also walk the whole index and compare each of its rows with every key.
 */
export const byKey = (column: string, key: string): string => `${column} = any(array[${key}])`;

/** A condition that rows are held to after they were found, never one that they are found by. */
export const filter = (condition: string): string => `case when ${condition} then true else false end`;
