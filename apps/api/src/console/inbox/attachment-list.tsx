import type { AttachedFile } from '#libs/entities';
import { Icon } from '../../pages/parts/icon.js';
import { formatBytes } from '../../pages/parts/format-bytes.js';

export const attachmentPath = (id: string): string => `/attachments/${id}`;

interface AttachmentsProps {
  readonly attachments: readonly AttachedFile[];
  readonly linked: boolean;
}

/** Files are downloaded and never shown, because strangers wrote them. */
export function AttachmentList({ attachments, linked }: AttachmentsProps) {
  if (attachments.length === 0) return null;
  return (
    <ul class="attachments" aria-label="Attachments">
      {attachments.map(({ id, name, size: bytes }) => (
        <li key={id}>
          {linked ? (
            <a href={attachmentPath(id)} download={name}>
              <Icon name="clip" />
              <span class="clip">{name}</span>
            </a>
          ) : (
            <span class="clip">{name}</span>
          )}
          <span class="quiet small number">{formatBytes(bytes)}</span>
        </li>
      ))}
    </ul>
  );
}
