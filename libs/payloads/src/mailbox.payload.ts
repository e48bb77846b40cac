import type { Mailbox } from '#libs/entities';
import { address, email, id, linksTo, objectSchema, string, time } from './json-schema.js';
import type { Links } from './links.js';

export function mailboxPayload(mailbox: Mailbox, links: Links) {
  return {
    name: mailbox.name,
    email: mailbox.email,
    href: links.record('mailboxes', mailbox.id),
    links: { tickets: { href: links.ticketsOfMailbox(mailbox.id) } },
    id: mailbox.id,
    created_at: mailbox.createdAt.toISOString(),
    updated_at: mailbox.updatedAt.toISOString(),
  };
}

export const mailboxSchema = objectSchema<ReturnType<typeof mailboxPayload>>('Where tickets come in.', {
  name: string,
  email,
  href: address,
  links: linksTo(['tickets']),
  id,
  created_at: time,
  updated_at: time,
});
