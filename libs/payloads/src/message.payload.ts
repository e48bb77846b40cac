import { Agent, type Message } from '#libs/entities';
import { attachmentPayload } from './attachment.payload.js';
import { address, id, linksTo, objectSchema, ref, text, time } from './json-schema.js';
import type { Links } from './links.js';

/** The fields of section 2.5 of the specification in its order, then our own. */
export function messagePayload(message: Message, links: Links) {
  const { author } = message;
  return {
    created_at: message.writtenAt().toISOString(),
    updated_at: message.updatedAt.toISOString(),
    note: message.note,
    body: message.body,
    href: links.record('messages', message.id),
    links: {
      author: { href: author instanceof Agent ? links.agent(author.email) : links.customer(author.email) },
      ticket: { href: links.ticket(message.ticketNumber) },
    },
    id: message.id,
    plain_text_body: message.plainTextBody,
    agent_response: author instanceof Agent && !message.note,
    attachments: message.attachments.map((attachment) => attachmentPayload(attachment, links)),
  };
}

export const messageSchema = objectSchema<ReturnType<typeof messagePayload>>('One message of a ticket.', {
  created_at: time,
  updated_at: time,
  note: { type: 'boolean', description: 'An internal note, which customers do not see.' },
  body: text('As it was sent, byte for byte: it may be HTML, and is not made safe.'),
  href: address,
  links: linksTo(['author', 'ticket']),
  id,
  plain_text_body: text('The body without markup.'),
  agent_response: { type: 'boolean', description: 'Written by an agent for the customer.' },
  attachments: { type: 'array', items: ref('Attachment') },
});
