import { type AccountTx, accountStatement, columns, hydrate, uuidAt } from '#libs/database';
import { Customer } from '#libs/entities';

export interface CustomerFields {
  readonly email: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

/** `xmax` is 0 only for a row that this statement inserted: it tells a new customer from one that was there. */
const ADD_OR_UPDATE = accountStatement(
  'customer_add_or_update',
  `insert into customers as c (id, account_id, email, first_name, last_name, created_at, updated_at)
   values ($2, $1, $3, coalesce($4, ''), coalesce($5, ''), $6, $6)
   on conflict (account_id, email) do update set
     first_name = coalesce($4, c.first_name), last_name = coalesce($5, c.last_name),
     updated_at = case when (coalesce($4, c.first_name), coalesce($5, c.last_name)) is distinct from (c.first_name, c.last_name)
       then $6 else c.updated_at end
   returning ${columns(Customer, 'c')}, xmax = 0 as added`,
);

/** One round trip, and safe against the same customer appearing twice at once. */
export async function addCustomer(
  tx: AccountTx,
  fields: CustomerFields,
  now: Date,
): Promise<{ customer: Customer; added: boolean }> {
  const { email, firstName, lastName } = fields;
  const row = (await tx.row(ADD_OR_UPDATE, [uuidAt(now), email, firstName ?? null, lastName ?? null, now]))!;
  return { customer: hydrate(Customer, row, 'c')!, added: row['added'] === true };
}
