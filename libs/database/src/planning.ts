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

/**
 * The rows with this key, for the newest of them: with both columns in its `order by`, only the index of both has them in
 * order. Of `column = key`, PostgreSQL may believe that there is one row, and read and sort them all.
 */
export const rangeOf = (column: string, key: string): string => `${column} between ${key} and ${key}`;

/**
 * The row of the account (`$1`) with this key, by the index of both. PostgreSQL finds every index that begins with the
 * account as good, while it believes that an account has a row or none. Of a range it takes only the one that is in order.
 */
export const rowByKey = (table: string, column: string, key: string): string =>
  `(select * from ${table} where account_id = $1 and ${rangeOf(column, key)} order by ${column} limit 1)`;

/** The row with this id, if it is of the account (`$1`). */
export const rowById = (table: string, id: string): string =>
  `(select * from ${table} where id = ${id} and ${filter('account_id = $1')})`;

/** Of the two values one is null. */
export const rowByKeyOrId = (table: string, column: string, [key, id]: readonly [string, string]): string =>
  `(${rowByKey(table, column, key)} union all ${rowById(table, id)} limit 1)`;
