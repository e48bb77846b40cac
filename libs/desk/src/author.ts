import { type AccountTx, accountStatement, columns, hydrate, isUuid } from '#libs/database';
import { Agent, Customer } from '#libs/entities';
import { addCustomer } from './customer.statements.js';
import { unknownReference } from './new-ticket.js';
import { parsePersonReference } from './references.js';

const FIND = accountStatement(
  'author_find',
  `select ${columns(Agent, 'a')}, ${columns(Customer, 'c')} from accounts
   left join agents a on a.account_id = $1 and (a.email = $2 or a.id = $3)
   left join customers c on c.account_id = $1 and (c.email = $2 or c.id = $3)
   where accounts.id = $1`,
);

export interface ResolvedAuthor {
  readonly author: Agent | Customer;
  /** The customer, when this is the first that was heard of it. */
  readonly added: Customer | null;
}

/** Who is both is an agent. */
export async function findAuthor(tx: AccountTx, who: string): Promise<Agent | Customer | null> {
  const row = (await tx.row(FIND, Object.values(parsePersonReference(who)))) ?? {};
  return hydrate(Agent, row, 'a') ?? hydrate(Customer, row, 'c');
}

/** Whoever was found. Else, an e-mail address nobody has is a new customer's. */
export async function authorOrNew(
  tx: AccountTx,
  { found, who }: { readonly found: Agent | Customer | null; readonly who: string },
  now: Date,
): Promise<ResolvedAuthor> {
  if (found) return { author: found, added: null };
  if (isUuid(who)) throw unknownReference('author');
  const { customer, added } = await addCustomer(tx, { email: who.toLowerCase() }, now);
  return { author: customer, added: added ? customer : null };
}
