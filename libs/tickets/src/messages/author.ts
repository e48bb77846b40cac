import { type AccountTx, accountStatement, columns, hydrate, isUuid, rowByKeyOrId } from '#libs/database';
import { Agent, Customer } from '#libs/entities';
import { addCustomer } from '../customers/customer.statements.js';
import { unknownReference } from '../new-ticket.js';
import { parsePersonReference } from '../references.js';

const FIND = accountStatement(
  'author_find',
  `select ${columns(Agent, 'a')}, ${columns(Customer, 'c')} from accounts
   left join ${rowByKeyOrId('agents', 'email', ['$2', '$3'])} a on true
   left join ${rowByKeyOrId('customers', 'email', ['$2', '$3'])} c on true
   where accounts.id = $1`,
);

export interface ResolvedAuthor {
  readonly author: Agent | Customer;
  /** The customer, if this call created it. */
  readonly added: Customer | null;
}

/** If an address belongs to both, the agent wins. */
export async function findAuthor(tx: AccountTx, who: string): Promise<Agent | Customer | null> {
  const row = (await tx.row(FIND, Object.values(parsePersonReference(who)))) ?? {};
  return hydrate(Agent, row, 'a') ?? hydrate(Customer, row, 'c');
}

/** Returns the author that was found, or creates a customer for an unknown e-mail address. */
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
