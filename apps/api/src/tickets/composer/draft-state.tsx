import { randomBytes } from 'node:crypto';
import type { Draft, DraftFile } from '#libs/entities';
import { FormAlert, HiddenFields } from '../../ui/parts/form.js';
import { formatBytes } from '../../attachments/index.js';
import { usePageContext } from '../../ui/page-context.js';

interface DraftStateProps {
  readonly number: number;
  readonly draft: Draft | null;
  /** The revision that a page went on from, when the draft is another by now. The page keeps it until its writer has chosen. */
  readonly overtaken?: number | undefined;
}

/** Which draft the composer goes on from, and its files. A script replaces it when it has saved the draft. */
export function DraftState({ number, draft, overtaken }: DraftStateProps) {
  const { revision = 0, files = [] } = draft ?? {};
  const base = overtaken ?? revision;
  return (
    <div id="draft" data-draft-path={`/tickets/${number}/draft`}>
      <HiddenFields fields={{ draft_revision: String(base), writer: randomBytes(9).toString('base64url') }} />
      {overtaken !== undefined && <NewerDraft draft={draft} />}
      <p class="quiet small" data-draft-status>
        {draft && overtaken === undefined && 'Your draft is saved.'}
      </p>
      {files.length > 0 && <DraftFiles number={number} files={files} />}
    </div>
  );
}

function DraftFiles({ number, files }: { number: number; files: readonly DraftFile[] }) {
  return (
    <ul class="attachments" aria-label="Files of your draft">
      {files.map(({ id, name, size }) => (
        <li data-file={`${size}:${name}`} key={id}>
          <input type="hidden" name="draft_file" value={id} />
          <span class="clip">{name}</span>
          <span class="quiet small number">{formatBytes(size)}</span>
          <button
            type="submit"
            class="plain slim"
            formAction={`/tickets/${number}/draft`}
            formNoValidate
            name="remove_file"
            value={id}
            aria-label={`Remove ${name}`}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Only a script asks for it, and acts on the buttons. Without one, the page says so above the form. */
function NewerDraft({ draft }: { draft: Draft | null }) {
  return (
    <div
      class="notice warn stack"
      role="alert"
      data-newer={draft?.revision ?? 0}
      data-kind={draft?.note ? 'note' : 'reply'}
    >
      <p>
        {draft
          ? 'Not saved: another window or device of yours has a newer draft of this answer:'
          : 'Not saved: your draft was sent or discarded in another window.'}
      </p>
      {draft && (
        <div class="body text newer-draft" data-newer-text dir="auto" tabIndex={0}>
          {draft.body}
        </div>
      )}
      <div class="row">
        <button type="button" class="slim" value="mine">
          Keep what is typed here
        </button>
        <button type="button" class="slim" value="other">
          {draft ? 'Take the other' : 'Discard'}
        </button>
      </div>
    </div>
  );
}

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
