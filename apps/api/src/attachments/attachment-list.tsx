import type { AttachedFile } from '#libs/entities';
import { isShownImage } from '#libs/tickets';
import { Icon } from '../layers/ui/parts/icon.js';

export function AttachmentList({ attachments, linked }: { attachments: readonly AttachedFile[]; linked: boolean }) {
  if (attachments.length === 0) return null;
  return (
    <ul class="attachments" aria-label="Attachments">
      {attachments.map((file) => (
        <li class={linked && isShownImage(file) ? 'picture' : undefined} key={file.id}>
          {linked ? <AttachmentLink file={file} /> : <span class="clip">{file.name}</span>}
          <span class="quiet small number">{formatBytes(file.size)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The picture has an empty `alt`, because its name follows. */
function AttachmentLink({ file }: { file: AttachedFile }) {
  const href = `/attachments/${file.id}`;
  return (
    <a href={href} download={file.name}>
      {isShownImage(file) ? <img src={`${href}/image`} alt="" loading="lazy" /> : <Icon name="clip" />}
      <span class="clip">{file.name}</span>
    </a>
  );
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const kilobytes = Math.round(bytes / 1000);
  if (kilobytes < 1000) return `${kilobytes} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
