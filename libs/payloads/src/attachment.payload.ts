import type { AttachedFile } from '#libs/entities';
import { address, id, linksTo, objectSchema, string, text, time } from './json-schema.js';
import type { Links } from './links.js';

/** `href` is permanent. `url`, where the bytes are, expires soon; read `href` again for a new one. */
export function attachmentPayload(attachment: AttachedFile, links: Links) {
  return {
    id: attachment.id,
    href: links.record('attachments', attachment.id),
    links: { message: { href: links.record('messages', attachment.messageId) } },
    name: attachment.name,
    content_type: attachment.contentType,
    size: attachment.size,
    url: links.download(attachment),
    created_at: attachment.createdAt.toISOString(),
  };
}

export const attachmentSchema = objectSchema<ReturnType<typeof attachmentPayload>>('A file that came with a message.', {
  id,
  href: address,
  links: linksTo(['message']),
  name: string,
  content_type: text('As the sender told it; not looked into.'),
  size: { type: 'integer', minimum: 0, description: 'In bytes.' },
  url: {
    ...address,
    description: 'Where the bytes are, without a token, for 15 to 30 minutes; then read `href` again.',
  },
  created_at: time,
});
