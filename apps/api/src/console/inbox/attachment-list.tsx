import type { AttachedFile } from '#libs/entities';
import { Icon } from '../../pages/parts/icon.js';

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
            <a href={`/attachments/${id}`} download={name}>
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

/** In the largest unit that leaves a number worth reading. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
