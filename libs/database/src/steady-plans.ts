/*
 * SQL that leaves PostgreSQL one plan. Statistics may say that a table is empty while it holds a million rows; then all
 * plans seem free. See docs/decisions/steady-plans.md.
 */

/** With `column = key`, PostgreSQL may read the whole index and compare each row with every key. */
export const byKey = (column: string, key: string): string => `${column} = any(array[${key}])`;

/** No index can serve it, so PostgreSQL finds the rows by other conditions. */
export const filter = (condition: string): string => `case when ${condition} then true else false end`;

/**
 * With both columns in `order by`, only the index of both returns rows in order. With `column = key`, PostgreSQL may
 * expect one row, and read and sort all.
 */
export const rangeOf = (column: string, key: string): string => `${column} between ${key} and ${key}`;

/**
 * While statistics say that an account has at most one row, PostgreSQL may use any index that starts with the account.
 * The range makes it use the ordered one.
 */
export const rowByKey = (table: string, column: string, key: string): string =>
  `(select * from ${table} where account_id = $1 and ${rangeOf(column, key)} order by ${column} limit 1)`;

export const rowById = (table: string, id: string): string =>
  `(select * from ${table} where id = ${id} and ${filter('account_id = $1')})`;

/** Either the key or the id is null. */
export const rowByKeyOrId = (table: string, column: string, [key, id]: readonly [string, string]): string =>
  `(${rowByKey(table, column, key)} union all ${rowById(table, id)} limit 1)`;
