import type { Desk } from './desk.js';
import { seedAccount } from './seed.js';

/** A desk as seen from one of its accounts. */
export type AccountDesk = Pick<Desk, 'account' | 'client' | 'clock' | 'sql'>;

/** Seeds another account. */
export async function newAccount(desk: Desk): Promise<AccountDesk> {
  const account = await seedAccount(desk.sql);
  return {
    account,
    clock: desk.clock,
    sql: desk.sql,
    client: (token?: string) => desk.client(token ?? account.owner.token),
  };
}
