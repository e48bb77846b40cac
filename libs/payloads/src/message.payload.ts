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

const APPLICATION = json.objectOf({ client_id: json.text('Its client id.'), name: json.text('Its present name.') });

/** Section 2.5 of the specification in its order, then our own fields. */
export const messagePayload = recordPayload<Message>('A message of a ticket.', {
  created_at: [json.timeOf('`sent_at`, the date of the email, or else when it was added.'), (one) => one.writtenAt()],
  updated_at: [json.updatedAt, 'updatedAt'],
  note: [json.flag('True for internal notes, which customers never see.'), 'note'],
  body: [
    json.text(
      'The body as it was sent, except that signed reply addresses are removed from emails. It may be unsanitised HTML.',
    ),
    'body',
  ],
  href: [json.href, (message, links) => links.record('messages', message.id)],
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
  plain_text_body: [json.text('The body without markup, or as Markdown from the console.'), 'plainTextBody'],
  agent_response: [
    json.flag('True for an agent’s reply to the customer. False for notes, also those of agents, and for customers.'),
    ({ author, note }) => author instanceof Agent && !note,
  ],
  attachments: [
    json.listOf(json.ref('Attachment'), 'Files of the message.'),
    (message, links) => message.attachments.map((attachment) => attachmentPayload(attachment, links)),
  ],
  app_ticket_url: [json.addressOf('Its ticket in the console.'), (one, links) => links.ticketPage(one.ticketNumber)],
  channel: [
    json.oneOfOrNull(MESSAGE_CHANNELS, '`email` if the message arrived by email. Null for the console and the API.'),
    'channel',
  ],
  delivery: [
    json.oneOfOrNull(
      OUTGOING_MAIL_STATES.filter((state) => state !== 'caught'),
      'Status of the email to the customer. `failed`: rejected by a server. `bounced`: returned. `unsure`: may have arrived, so it is not resent automatically. Null if no email is sent.',
    ),
    // A demonstration catches its own mail.
    ({ delivery }) => (delivery === 'caught' ? 'sent' : delivery),
  ],
  delivery_reason: [
    json.nullableText('The mail server’s last response. Also lists each Cc recipient that was not reached.'),
    reasonOf,
  ],
  reply_text: [
    json.nullableText(
      '`plain_text_body` of an email without quoted text and signature. Text is removed only below a line that clearly starts a quotation. Null if the message did not arrive by email.',
    ),
    replyTextOf,
  ],
  to: [
    json.listOf(
      json.string,
      'Recipients: the `To` addresses of an email (at most 50), or the customer for an agent’s reply. Empty for notes, and for customer messages sent through the API.',
    ),
    'toAddresses',
  ],
  cc: [
    json.listOf(json.string, 'Copy recipients: the `Cc` addresses of an email (at most 50) or of a reply.'),
    'ccAddresses',
  ],
  application: [
    {
      anyOf: [APPLICATION, { type: 'null' }],
      description:
        'The OAuth application that wrote the message on behalf of a person. Null for the console, emails and personal access tokens.',
    },
    ({ application }) => application && { client_id: application.clientId, name: application.name },
  ],
  ticket_number: [{ type: 'integer', minimum: 1, description: 'Number of the ticket.' }, 'ticketNumber'],
  author_type: [
    json.oneOf(['agent', 'customer'], 'Who wrote the message.'),
    ({ author }) => (author instanceof Agent ? 'agent' : 'customer'),
  ],
  author_id: [json.text('Id of the agent or customer who wrote the message.'), ({ author }) => author.id],
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

const DOWNLOAD_ADDRESS =
  'Download URL that needs no token. Valid for 15 to 30 minutes; then read `href` for a new one.';

/** `href` is permanent and `url` expires. */
export const attachmentPayload = recordPayload<AttachedFile>('A file attached to a message.', {
  id: [json.id, 'id'],
  href: [json.href, (attachment, links) => links.record('attachments', attachment.id)],
  links: [
    json.linksTo(['message']),
    ({ messageId }, links) => ({ message: { href: links.record('messages', messageId) } }),
  ],
  name: [json.text('Name of the file.'), 'name'],
  content_type: [json.text('As sent by the client; not verified.'), 'contentType'],
  size: [json.countOf('Size in bytes.'), 'size'],
  url: [json.addressOf(DOWNLOAD_ADDRESS), (attachment, links) => links.download(attachment)],
  created_at: [json.createdAt, 'createdAt'],
  filename: [json.text('Same as `name`.'), 'name'],
});
