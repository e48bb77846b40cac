import type { Attached } from '#libs/entities';
import type { Links } from './links.js';

/** As it stands in a message. Where the bytes are is asked of the attachment itself, because that address soon ends. */
export function attachmentPayload(attachment: Attached, links: Links) {
  return {
    id: attachment.id,
    href: links.attachment(attachment.id),
    name: attachment.name,
    content_type: attachment.contentType,
    size: attachment.size,
    created_at: attachment.createdAt.toISOString(),
  };
}
