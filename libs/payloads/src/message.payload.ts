import {
  Agent,
  type AttachedFile,
  type Customer,
  MESSAGE_CHANNELS,
  type Message,
  OUTGOING_MAIL_STATES,
} from '#libs/entities';
import * as json from './json-schema.js';
import type { Links } from './links.js';
import { recordPayload } from './record-payload.js';
import { replyText } from './reply-text.js';

/** Section 2.5 of the specification in its order, then our own fields. */
export const messagePayload = recordPayload<Message>('One message of a ticket.', {
  created_at: [json.time, (message) => message.writtenAt()],
  updated_at: [json.time, 'updatedAt'],
  note: [json.flag('An internal note, which customers do not see.'), 'note'],
  body: [
    json.text(
      'As it was sent, byte for byte: it may be HTML, and is not made safe. Signed reply addresses are removed from mails.',
    ),
    'body',
  ],
  href: [json.address, (message, links) => links.record('messages', message.id)],
  links: [
    json.linksTo(['author', 'ticket', 'attachments'], ['recipient']),
    ({ id: message, author, recipient, ticketNumber }, links) => ({
      author: { href: pageOf(author, links) },
      ticket: { href: links.ticket(ticketNumber) },
      attachments: { href: links.attachmentsOfMessage(message) },
      ...(recipient && { recipient: { href: pageOf(recipient, links) } }),
    }),
  ],
  id: [json.id, 'id'],
  plain_text_body: [json.text('The body without markup.'), 'plainTextBody'],
  agent_response: [
    json.flag('Written by an agent for the customer.'),
    ({ author, note }) => author instanceof Agent && !note,
  ],
  attachments: [
    json.listOf(json.ref('Attachment')),
    (message, links) => message.attachments.map((attachment) => attachmentPayload(attachment, links)),
  ],
  app_ticket_url: [json.address, ({ ticketNumber }, links) => links.ticketPage(ticketNumber)],
  channel: [
    {
      type: ['string', 'null'],
      enum: [...MESSAGE_CHANNELS, null],
      description: '`email` for what came by mail; null for what was written in the console or over the API.',
    },
    'channel',
  ],
  delivery: [
    json.oneOfOrNull(
      OUTGOING_MAIL_STATES.filter((state) => state !== 'caught'),
      'What became of the mail with it to the customer: `failed` was refused, `bounced` came back, `unsure` may have arrived and is not sent again by itself. Null if none is sent.',
    ),
    // A demonstration catches its own mail.
    ({ delivery }) => (delivery === 'caught' ? 'sent' : delivery),
  ],
  delivery_reason: [
    json.nullableText(
      'Why, in words: what the mail server said last. Of those in Cc whom it did not reach, each is named with a reason.',
    ),
    reasonOf,
  ],
  reply_text: [
    json.nullableText(
      'Of a mail, `plain_text_body` without the message that it answers and without its signature. Only below a line that surely begins a quotation is anything left out. Null for what did not come by mail.',
    ),
    replyTextOf,
  ],
  to: [
    json.listOf(
      json.string,
      'To whom it was addressed: the `To` of a mail, at most 50 addresses; the customer, for an agent’s reply. Empty for notes, and for what a customer wrote over the API.',
    ),
    'toAddresses',
  ],
  cc: [
    json.listOf(json.string, 'Who else got it: the `Cc` of a mail, at most 50 addresses, or those in Cc of a reply.'),
    'ccAddresses',
  ],
});

/** The body without the quotation and the signature, or null if the message did not come by mail. */
export function replyTextOf({ channel, plainTextBody }: Message): string | null {
  return channel === 'email' ? replyText(plainTextBody) : null;
}

function reasonOf({ deliveryReason, copies }: Message): string | null {
  const others = copies
    .filter(({ state, reason }) => state !== 'caught' && reason !== null)
    .map(({ recipient, reason }) => `${recipient}: ${reason}`);
  return [deliveryReason, ...others].filter(Boolean).join('\n') || null;
}

const pageOf = (person: Agent | Customer, links: Links): string =>
  person instanceof Agent ? links.agent(person.email) : links.customer(person.email);

const DOWNLOAD_ADDRESS = 'Where the bytes are, without a token, for 15 to 30 minutes; then read `href` again.';

/** `href` is permanent and `url` expires. */
export const attachmentPayload = recordPayload<AttachedFile>('A file that came with a message.', {
  id: [json.id, 'id'],
  href: [json.address, (attachment, links) => links.record('attachments', attachment.id)],
  links: [
    json.linksTo(['message']),
    ({ messageId }, links) => ({ message: { href: links.record('messages', messageId) } }),
  ],
  name: [json.string, 'name'],
  content_type: [json.text('As the sender told it; not looked into.'), 'contentType'],
  size: [json.countOf('In bytes.'), 'size'],
  url: [{ ...json.address, description: DOWNLOAD_ADDRESS }, (attachment, links) => links.download(attachment)],
  created_at: [json.time, 'createdAt'],
  filename: [json.text('The same as `name`.'), 'name'],
});
