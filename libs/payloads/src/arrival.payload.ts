import { ARRIVAL_SOURCES, ARRIVAL_STATES, type Arrival } from '#libs/entities';
import { address, count, id, linksTo, nullableText, nullableTime, oneOf, time } from './json-schema.js';
import { recordPayload } from './record-payload.js';

export const arrivalPayload = recordPayload<Arrival>('A mail that was accepted for a mailbox.', {
  id: [id, 'id'],
  href: [address, ({ id: arrival }, links) => links.record('arrivals', arrival)],
  links: [
    linksTo(['mailbox'], ['ticket', 'message']),
    ({ mailboxId, ticketNumber, messageId }, links) => ({
      mailbox: { href: links.record('mailboxes', mailboxId) },
      ...(ticketNumber !== null && { ticket: { href: links.ticket(ticketNumber) } }),
      ...(messageId !== null && { message: { href: links.record('messages', messageId) } }),
    }),
  ],
  state: [
    {
      ...oneOf(ARRIVAL_STATES),
      description:
        '`waiting` to be read. `understood` and `unreadable` are a message now, `held` waits for a person, `repeated` came before, `discarded` was held.',
    },
    'state',
  ],
  reason: [
    nullableText(
      'Why it is, or was, held or unreadable. `delivery_report` for one about a mail of ours, which is no message.',
    ),
    'reason',
  ],
  from: [nullableText('The sender, once it was read. A claim, like all of a mail.'), 'sender'],
  subject: [nullableText('Of a held mail.'), 'subject'],
  text: [nullableText('The beginning of a held mail, as text.'), 'preview'],
  source: [oneOf(ARRIVAL_SOURCES), 'source'],
  size: [{ ...count, description: 'In bytes.' }, 'size'],
  created_at: [time, 'createdAt'],
  understood_at: [nullableTime, 'understoodAt'],
});
