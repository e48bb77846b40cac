import type { Draft } from '#libs/entities';
import { usePageContext } from '../../ui/page-context.js';
import { FormAlert } from '../../ui/parts/form.js';

/** A deleted ticket takes no answers. What was written for it is shown, so that it can be copied. */
export function DraftOfDeleted({ draft }: { draft: Draft | null }) {
  const text = usePageContext().form.values['body'] ?? draft?.body;
  return text ? (
    <section class="composer" id="composer" aria-label="Your draft">
      <FormAlert />
      <label class="field">
        Your draft. The ticket was deleted; when it is restored, you can send this.
        <textarea readOnly dir="auto" rows={4}>
          {text}
        </textarea>
      </label>
    </section>
  ) : null;
}
