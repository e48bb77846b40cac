import { randomBytes } from 'node:crypto';
import type { Draft, DraftFile } from '#libs/entities';
import { formatBytes } from '../../attachments/index.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { FormAlert, HiddenFields } from '../../layers/ui/parts/form.js';

interface DraftStateProps {
  readonly number: number;
  readonly draft: Draft | null;
  /** The revision that the page started from, if the draft has changed since. */
  readonly overtaken?: number | undefined;
}

/** A script replaces this part after each save. */
export function DraftState({ number, draft, overtaken }: DraftStateProps) {
  const { revision = 0, files = [] } = draft ?? {};
  const base = overtaken ?? revision;
  return (
    <div id="draft" data-draft-path={`/tickets/${number}/draft`}>
      <HiddenFields fields={{ draft_revision: String(base), writer: randomBytes(9).toString('base64url') }} />
      {overtaken !== undefined && <NewerDraft number={number} draft={draft} />}
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

/** Only shown by the script, which handles the buttons. */
function NewerDraft({ number, draft }: { number: number; draft: Draft | null }) {
  return (
    <div
      class="notice warn stack"
      role="alert"
      data-newer={draft?.revision ?? 0}
      data-kind={draft?.note ? 'note' : 'reply'}
    >
      <p>
        {draft
          ? `You have two drafts for #${number}. This is the other one:`
          : 'Not saved. Your draft was sent or discarded in another window.'}
      </p>
      {draft && (
        <div class="body text newer-draft" data-newer-text dir="auto" tabIndex={0}>
          {draft.body}
        </div>
      )}
      <div class="row">
        <button type="button" class="slim" value="mine">
          Keep this one
        </button>
        <button type="button" class="slim" value="other">
          {draft ? 'Use the other' : 'Discard'}
        </button>
      </div>
    </div>
  );
}

/** Shows the draft of a deleted ticket, which takes no replies, so that it can be copied. */
export function DraftOfDeleted({ draft }: { draft: Draft | null }) {
  const text = usePageContext().form.values['body'] ?? draft?.body;
  return text ? (
    <section class="composer" id="composer" aria-label="Your draft">
      <FormAlert />
      <label class="field">
        Your draft. Restore the ticket to send it.
        <textarea readOnly dir="auto" rows={4}>
          {text}
        </textarea>
      </label>
    </section>
  ) : null;
}
