import { ARRIVAL_SOURCES, ARRIVAL_STATES, type Arrival, SENDER_RESULTS } from '#libs/entities';
import * as json from './json-schema.js';
import { recordPayload } from './record-payload.js';

const verdict = json.oneOfOrNull(SENDER_RESULTS);
const verdicts: json.JsonSchema = {
  anyOf: [json.objectOf({ spf: verdict, dkim: verdict, dmarc: verdict }), { type: 'null' }],
  description:
    'What the mailbox’s own server found out about the sender. Null if the mailbox names none (`authserv_id`), the mail did not pass it, or a header forges its name.',
};

export const arrivalPayload = recordPayload<Arrival>('A mail that was accepted for a mailbox.', {
  id: [json.id, 'id'],
  href: [json.address, ({ id: arrival }, links) => links.record('arrivals', arrival)],
  links: [
    json.linksTo(['mailbox'], ['ticket', 'message']),
    ({ mailboxId, ticketNumber, messageId }, links) => ({
      mailbox: { href: links.record('mailboxes', mailboxId) },
      ...(ticketNumber !== null && { ticket: { href: links.ticket(ticketNumber) } }),
      ...(messageId !== null && { message: { href: links.record('messages', messageId) } }),
    }),
  ],
  state: [
    json.oneOf(
      ARRIVAL_STATES,
      '`waiting` to be processed. `processed` and `unreadable` are a message now, `quarantined` waits for a person, `duplicate` arrived before, `discarded` was quarantined.',
    ),
    'state',
  ],
  reason: [
    json.nullableText(
      'Why it is, or was, quarantined or unreadable. `delivery_report` for one about a mail of ours and `mailbox_test` for one that tests the mailbox, which are no messages.',
    ),
    'reason',
  ],
  from: [json.nullableText('The sender, once it was read. A claim, like all of a mail.'), 'sender'],
  subject: [json.nullableText('Of a quarantined mail.'), 'subject'],
  text: [json.nullableText('The beginning of a quarantined mail, as text.'), 'preview'],
  verdicts: [verdicts, 'verdicts'],
  source: [json.oneOf(ARRIVAL_SOURCES), 'source'],
  size: [json.countOf('In bytes.'), 'size'],
  created_at: [json.time, 'createdAt'],
  processed_at: [json.nullableTime, 'processedAt'],
});
