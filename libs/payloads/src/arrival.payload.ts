import { ARRIVAL_SOURCES, ARRIVAL_STATES, type Arrival, SENDER_RESULTS } from '#libs/entities';
import * as json from './json-schema.js';
import { recordPayload } from './record-payload.js';

const verdict = json.oneOfOrNull(SENDER_RESULTS, 'Result of this check. Null if the server did not report one.');
const verdicts: json.JsonSchema = {
  anyOf: [json.objectOf({ spf: verdict, dkim: verdict, dmarc: verdict }), { type: 'null' }],
  description:
    'Sender checks by the mailbox’s own server. Null if the mailbox names no server (`authserv_id`), the email did not pass through it, or a header forges its name.',
};

export const arrivalPayload = recordPayload<Arrival>('An inbound email that was accepted for a mailbox.', {
  id: [json.id, 'id'],
  href: [json.href, ({ id: arrival }, links) => links.record('arrivals', arrival)],
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
      '`waiting`: not processed yet. `processed`: processed. `unreadable`: attached to a ticket as a file. `quarantined`: waiting for an agent’s decision. `duplicate`: already received. `discarded`: rejected by an agent or expired.',
    ),
    'state',
  ],
  reason: [
    json.nullableText(
      'Why the email was quarantined or could not be read. `delivery_report` and `mailbox_test` mark bounces and mailbox checks, which create no message.',
    ),
    'reason',
  ],
  from: [json.nullableText('The sender, set once the email is processed. Not verified.'), 'sender'],
  subject: [json.nullableText('Subject of a quarantined email.'), 'subject'],
  text: [json.nullableText('Beginning of a quarantined email, as plain text.'), 'preview'],
  verdicts: [verdicts, 'verdicts'],
  source: [json.oneOf(ARRIVAL_SOURCES, 'How the email reached Deskwire.'), 'source'],
  size: [json.countOf('Size in bytes.'), 'size'],
  created_at: [json.createdAt, 'createdAt'],
  processed_at: [json.timeOrNull('When the email was processed. Null while it waits.'), 'processedAt'],
});
