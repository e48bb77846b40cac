import type { Mailbox } from '#libs/entities';
import { address, email, id, linksTo, nullableText, string, text, time } from './json-schema.js';
import { recordPayload } from './record-payload.js';

export const mailboxPayload = recordPayload<Mailbox>('Where tickets come in.', {
  name: [string, 'name'],
  email: [email, 'email'],
  href: [address, (mailbox, links) => links.record('mailboxes', mailbox.id)],
  links: [linksTo(['tickets']), (mailbox, links) => ({ tickets: { href: links.ticketsOfMailbox(mailbox.id) } })],
  id: [id, 'id'],
  created_at: [time, 'createdAt'],
  updated_at: [time, 'updatedAt'],
  replies_by_mail: [
    { type: 'boolean', description: 'What agents answer here goes to the customer by mail.' },
    'repliesByMail',
  ],
  authserv_id: [
    nullableText(
      'How the server that receives for it names itself in Authentication-Results. Without it, none of them counts.',
    ),
    'authservId',
  ],
  signature: [text('Below what goes out from it by mail.'), 'signature'],
});
