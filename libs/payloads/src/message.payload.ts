import { Agent, type Message } from '#libs/entities';
import { attachmentPayload } from './attachment.payload.js';
import type { Links } from './links.js';

/** Section 2.5 of the specification first and in its order; ours after. */
export function messagePayload(message: Message, links: Links) {
  const { author } = message;
  return {
    created_at: message.writtenAt().toISOString(),
    updated_at: message.updatedAt.toISOString(),
    note: message.note,
    body: message.body,
    href: links.message(message.id),
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
