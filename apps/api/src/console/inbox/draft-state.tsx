import { randomBytes } from 'node:crypto';
import type { Draft } from '#libs/entities';
import { HiddenFields } from '../../pages/parts/form.js';
import { formatBytes } from './attachment-list.js';

/** Which draft the composer goes on from, and its files. A script replaces it when it has saved the draft. */
export function DraftState({ number, draft }: { number: number; draft: Draft | null }) {
  const { revision = 0, files = [] } = draft ?? {};
  return (
    <div id="draft" data-draft-path={`/tickets/${number}/draft`}>
      <HiddenFields fields={{ draft_revision: String(revision), writer: randomBytes(9).toString('base64url') }} />
      {files.length > 0 && (
        <ul class="attachments" aria-label="Files of your draft">
          {files.map(({ id, name, size }) => (
            <li key={id}>
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
                {...removeByScript(number)}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The form has an address of its own for a script, which would go before that of the button. */
const removeByScript = (number: number): object => ({
  'hx-post': `/tickets/${number}/draft`,
  'hx-target': '#draft',
  'hx-select': '#draft',
  'hx-swap': 'outerHTML',
});
