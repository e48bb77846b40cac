import { Agent, type Message } from '#libs/entities';
import { attachmentPayload } from './attachment.payload.js';
import { address, id, linksTo, ref, text, time } from './json-schema.js';
import { recordPayload } from './record-payload.js';

/** The fields of section 2.5 of the specification in its order, then our own. */
export const messagePayload = recordPayload<Message>('One message of a ticket.', {
  created_at: [time, (message) => message.writtenAt()],
  updated_at: [time, 'updatedAt'],
  note: [{ type: 'boolean', description: 'An internal note, which customers do not see.' }, 'note'],
  body: [text('As it was sent, byte for byte: it may be HTML, and is not made safe.'), 'body'],
  href: [address, (message, links) => links.record('messages', message.id)],
  links: [
    linksTo(['author', 'ticket']),
    ({ author, ticketNumber }, links) => ({
      author: { href: author instanceof Agent ? links.agent(author.email) : links.customer(author.email) },
      ticket: { href: links.ticket(ticketNumber) },
    }),
  ],
  id: [id, 'id'],
  plain_text_body: [text('The body without markup.'), 'plainTextBody'],
  agent_response: [
    { type: 'boolean', description: 'Written by an agent for the customer.' },
    ({ author, note }) => author instanceof Agent && !note,
  ],
  attachments: [
    { type: 'array', items: ref('Attachment') },
    (message, links) => message.attachments.map((attachment) => attachmentPayload(attachment, links)),
  ],
});
