import type { Mailbox } from '#libs/entities';
import { type MailAddress, type MailRecipients, beginningOf } from '#libs/mail';
import type { CustomerFields } from '../customers/customer.statements.js';
import type { NewTicket } from '../new-ticket.statements.js';
import type { StoredContent } from './mail-contents.service.js';

/** An email of a customer, as the mailbox passes it on. */
export interface CustomerMail extends MailRecipients {
  readonly from: MailAddress;
  readonly isFromCustomer: boolean;
  readonly envelopeTo: string | null;
  readonly mailbox: Mailbox;
  readonly content: StoredContent;
  readonly sentAt: Date;
  /** Sent by a program, which must not cause notifications or replies. */
  readonly isAutomatic: boolean;
  /** From before the mailbox was connected, so it causes no notifications. */
  readonly isOlder: boolean;
  /** The sender is probably forged, so the ticket keeps its Cc. */
  readonly isDoubtful: boolean;
}

const MAX_KEPT_RECIPIENTS = 50;

export const recipientsOf = ({ to, cc }: MailRecipients): Required<Pick<NewTicket, 'toAddresses' | 'ccAddresses'>> => ({
  toAddresses: to.slice(0, MAX_KEPT_RECIPIENTS),
  ccAddresses: cc.slice(0, MAX_KEPT_RECIPIENTS),
});

const MAX_NAME_CHARACTERS = 200;

/** A known customer keeps their name, because an email can claim any. */
export function customerOf({ from: { address, name }, isFromCustomer }: CustomerMail): CustomerFields {
  const words = isFromCustomer ? [] : name.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { email: address };
  const last = words.length > 1 ? words.pop()! : '';
  return {
    email: address,
    firstName: beginningOf(words.join(' '), MAX_NAME_CHARACTERS),
    lastName: beginningOf(last, MAX_NAME_CHARACTERS),
  };
}

export function ticketOf(mail: CustomerMail, title: string | null): NewTicket {
  const { content, mailbox, sentAt, isOlder, isAutomatic } = mail;
  return {
    body: content.body,
    ...recipientsOf(mail),
    from: customerOf(mail),
    to: { email: mailbox.email },
    title,
    state: isOlder ? 'closed' : 'unread',
    priority: null,
    tags: [],
    sentAt,
    channel: 'email',
    needsNoReply: isOlder || isAutomatic,
  };
}
