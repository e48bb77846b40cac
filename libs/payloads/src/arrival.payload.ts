import { ARRIVAL_SOURCES, ARRIVAL_STATES, type Arrival, SENDER_RESULTS } from '#libs/entities';
import {
  type JsonSchema,
  address,
  count,
  id,
  linksTo,
  nullableText,
  nullableTime,
  objectOf,
  oneOf,
  oneOfOrNull,
  time,
} from './json-schema.js';
import { recordPayload } from './record-payload.js';

const verdict = oneOfOrNull(SENDER_RESULTS);
const verdicts: JsonSchema = {
  anyOf: [objectOf({ spf: verdict, dkim: verdict, dmarc: verdict }), { type: 'null' }],
  description:
    'What the mailbox’s own server found out about the sender. Null if the mailbox names none (`authserv_id`), or the mail did not pass it.',
};

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
      'Why it is, or was, held or unreadable. `delivery_report` for one about a mail of ours and `mailbox_test` for one that tests the mailbox, which are no messages.',
    ),
    'reason',
  ],
  from: [nullableText('The sender, once it was read. A claim, like all of a mail.'), 'sender'],
  subject: [nullableText('Of a held mail.'), 'subject'],
  text: [nullableText('The beginning of a held mail, as text.'), 'preview'],
  verdicts: [verdicts, 'verdicts'],
  source: [oneOf(ARRIVAL_SOURCES), 'source'],
  size: [{ ...count, description: 'In bytes.' }, 'size'],
  created_at: [time, 'createdAt'],
  understood_at: [nullableTime, 'understoodAt'],
});
