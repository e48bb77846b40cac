import type { AccountConnection, AccountTx } from '#libs/database';
import { Mailbox, existing } from '#libs/entities';
import type { ActivityDescription } from '#libs/events';
import { mailboxNamed } from '#libs/tickets';

/** By name, email or id. */
export async function findMailbox(account: AccountConnection, name: string): Promise<Mailbox> {
  return existing(await account.repository(Mailbox).findOne(...mailboxNamed(name)), 'mailbox');
}

/** Also blocks inserts of tickets that reference it. */
export async function lockMailbox(tx: AccountTx, name: string): Promise<Mailbox> {
  return existing(await tx.repository(Mailbox).lock(...mailboxNamed(name)), 'mailbox');
}

export const mailboxActivity = (
  { name: subject }: Mailbox,
  detail: ActivityDescription['detail'] = {},
): ActivityDescription => ({ ticketId: null, subject, detail });
