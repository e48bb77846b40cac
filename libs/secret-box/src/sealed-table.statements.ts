import { type SystemStatement, systemStatement } from '#libs/database';

/** The statements of a table of sealed secrets. */
export interface SealedTable {
  /** Returns one row for each key, and how many rows it seals: `id`, `owner`, `sealed`, `keyId`, `count`. */
  readonly samples: SystemStatement;
  /** Returns up to 500 rows sealed by another key than $1, with ids after $2, ordered by id. */
  readonly others: SystemStatement;
  /** Sets the sealed secret ($2) and key ($3) of row $1 if it still has the former ones ($4, $5). */
  readonly reseal: SystemStatement;
}

const REASON = 'Keys seal the secrets of every account';

/** The `owner` is bound to the secret. */
export function sealedTable(
  table: string,
  { id = 'id', owner = id }: { id?: string; owner?: string } = {},
): SealedTable {
  const columns = `${id} as id, ${owner} as owner, sealed, key_id as "keyId"`;
  return {
    samples: systemStatement(
      `sealed_${table}_samples`,
      REASON,
      `select distinct on (key_id) ${columns}, count(*) over (partition by key_id)::int as count
       from ${table} where sealed is not null order by key_id, ${id}`,
    ),
    others: systemStatement(
      `sealed_${table}_others`,
      REASON,
      `select ${columns} from ${table} where key_id <> $1 and ${id} > $2 order by ${id} limit 500`,
    ),
    reseal: systemStatement(
      `sealed_${table}_reseal`,
      REASON,
      `update ${table} set sealed = $2, key_id = $3 where ${id} = $1 and sealed = $4 and key_id = $5`,
    ),
  };
}
