import type { Mailbox } from '#libs/entities';
import type { Links } from './links.js';

export function mailboxPayload(mailbox: Mailbox, links: Links) {
  return {
    name: mailbox.name,
    email: mailbox.email,
    href: links.mailbox(mailbox.id),
    links: { tickets: { href: links.ticketsOfMailbox(mailbox.id) } },
    id: mailbox.id,
    created_at: mailbox.createdAt.toISOString(),
    updated_at: mailbox.updatedAt.toISOString(),
  };
}
