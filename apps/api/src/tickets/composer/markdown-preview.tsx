import type { ShownBody } from '#libs/tickets';
import { Icon } from '../../layers/ui/parts/icon.js';
import { WrittenText } from '../../messages/index.js';

export const MarkdownPreview = ({ shown }: { shown: ShownBody | null }) => (
  <details id="preview" open={shown !== null} hidden={shown === null} aria-live="polite">
    <summary class="quiet small">Preview</summary>
    {shown && (
      <div class="message">
        <WrittenText shown={shown} />
      </div>
    )}
  </details>
);

export function PreviewButton({ number }: { number: number }) {
  const path = `/tickets/${number}/preview`;
  return (
    <button
      type="submit"
      class="plain slim"
      title="Preview (Ctrl+Shift+P)"
      data-preview
      formAction={path}
      formNoValidate
      hx-post={path}
      hx-target="#preview"
      hx-select="#preview"
      hx-swap="outerHTML"
    >
      <Icon name="eye" />
      <span class="unseen">Preview</span>
    </button>
  );
}
