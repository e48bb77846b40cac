import type { Attachment } from '#libs/entities';
import { type RenderedBody, isShownImage, withAttachments } from '#libs/tickets';
import type { MailFile } from './mail-files.js';

/** Shows the pictures that the markup names. Each kept file is the one at its place. */
export function withPictures(
  rendered: RenderedBody,
  files: readonly MailFile[],
  kept: readonly Attachment[],
): RenderedBody {
  if (rendered.safeHtml === null) return rendered;
  const shown = kept.map((file, at) => [files[at]!.contentId ?? '', isShownImage(file) ? file.id : undefined] as const);
  const ids = new Map(shown);
  return { ...rendered, safeHtml: withAttachments(rendered.safeHtml, (contentId) => ids.get(contentId)) };
}
