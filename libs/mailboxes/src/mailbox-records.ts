import type { AccountConnection, AccountTx } from '#libs/database';
import { Mailbox, existing } from '#libs/entities';
import { mailboxNamed } from '#libs/tickets';

/** `nameOrId` can also be the email. */
export async function findMailbox(account: AccountConnection, nameOrId: string): Promise<Mailbox> {
  return existing(await account.repository(Mailbox).findOne(...mailboxNamed(nameOrId)), 'mailbox');
}

/** Also blocks inserts of tickets that reference it. */
export async function lockMailbox(tx: AccountTx, nameOrId: string): Promise<Mailbox> {
  return existing(await tx.repository(Mailbox).lock(...mailboxNamed(nameOrId)), 'mailbox');
}
