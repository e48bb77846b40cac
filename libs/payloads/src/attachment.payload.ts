import type { AttachedFile } from '#libs/entities';
import type { Links } from './links.js';

/** `href` names it for as long as it is there; `url`, where the bytes are, soon ends and is then asked for again. */
export function attachmentPayload(attachment: AttachedFile, links: Links) {
  return {
    id: attachment.id,
    href: links.attachment(attachment.id),
    links: { message: { href: links.message(attachment.messageId) } },
    name: attachment.name,
    content_type: attachment.contentType,
    size: attachment.size,
    url: links.download(attachment),
    created_at: attachment.createdAt.toISOString(),
  };
}
