import type { AttachedFile } from '#libs/entities';
import { address, id, linksTo, string, text, time } from './json-schema.js';
import { recordPayload } from './record-payload.js';

const DOWNLOAD_ADDRESS = 'Where the bytes are, without a token, for 15 to 30 minutes; then read `href` again.';

/** `href` is permanent and `url` expires. */
export const attachmentPayload = recordPayload<AttachedFile>('A file that came with a message.', {
  id: [id, 'id'],
  href: [address, (attachment, links) => links.record('attachments', attachment.id)],
  links: [linksTo(['message']), ({ messageId }, links) => ({ message: { href: links.record('messages', messageId) } })],
  name: [string, 'name'],
  content_type: [text('As the sender told it; not looked into.'), 'contentType'],
  size: [{ type: 'integer', minimum: 0, description: 'In bytes.' }, 'size'],
  url: [{ ...address, description: DOWNLOAD_ADDRESS }, (attachment, links) => links.download(attachment)],
  created_at: [time, 'createdAt'],
  filename: [text('The same as `name`.'), 'name'],
});
