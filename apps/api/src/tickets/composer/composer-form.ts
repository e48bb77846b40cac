import { isUuid } from '#libs/database';
import { type DraftBase, type SeenThread, type WrittenDraft, parseSeen } from '#libs/tickets';
import { CreateMessageDto } from '../../messages/index.js';
import type { FormFields } from '../../ui/form-fields.js';
import type { FormState } from '../../ui/page-response.js';
import { normalizeLineEndings, validateDto } from '../../shell/form-submission.js';
import { chosenCcIn, typedCcIn, wantedCcIn } from './recipients-form.js';
import type { PageMessage } from './message-with-attachments.service.js';

/** Longer than any that a page makes. */
const MAX_WRITER_CHARACTERS = 64;
const AFTER_SENDING = new Set(['stay', 'next', 'back']);

/** The fields of the composer, as the form is shown again with them. */
export const typedIn = (form: FormFields): FormState['values'] => {
  const { note, body, afterSending } = draftIn(form);
  return { body, kind: note ? 'note' : 'reply', after: afterSending, ...typedCcIn(form) };
};

export function draftIn(form: FormFields): WrittenDraft {
  const after = form.text('after');
  return {
    note: form.text('kind') === 'note',
    body: normalizeLineEndings(form.text('body')),
    ...chosenCcIn(form),
    afterSending: AFTER_SENDING.has(after) ? after : '',
    ...baseIn(form),
  };
}

/** A form from before it had these fields goes on from no draft. */
export const baseIn = (form: FormFields): DraftBase => ({
  revision: countIn(form, 'draft_revision') ?? 0,
  writer: form.text('writer').slice(0, MAX_WRITER_CHARACTERS),
});

/** The rules are those of the API. A note goes to colleagues only, so it need not be held back for what they wrote. */
export async function messageIn(form: FormFields): Promise<PageMessage> {
  const asDraft = draftIn(form);
  const { note, body } = asDraft;
  const wanted = (
    await validateDto(CreateMessageDto, { body, note, ...(!note && { cc: wantedCcIn(form) }) })
  ).toInput();
  const draft = { ...baseIn(form), files: form.texts('draft_file').filter((id) => isUuid(id)) };
  const close = form.text('close') === 'yes';
  return { wanted, asDraft, sending: { draft, close, seen: note ? undefined : seenIn(form) } };
}

/** Programs that send the form without it ask for no such check. */
export const seenIn = (form: FormFields): SeenThread | undefined =>
  form.text('seen') === '' ? undefined : parseSeen(form.text('seen'));

function countIn(form: FormFields, name: string): number | undefined {
  const text = form.text(name);
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
