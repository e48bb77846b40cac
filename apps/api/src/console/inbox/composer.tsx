import type { Ticket } from '#libs/entities';
import { useFrame } from '../../pages/frame.js';
import { FilesField } from '../../pages/parts/files-field.js';
import { Form, Hidden, Options } from '../../pages/parts/form.js';
import { Notice } from '../../pages/parts/marks.js';
import { type InboxQuery, searchOf } from './inbox-query.js';

interface ComposerProps {
  readonly ticket: Ticket;
  readonly query: InboxQuery;
  /** The ticket below this one in the list, for those who go through it. */
  readonly next: number | null;
  /** What was typed, when it could not be sent. */
  readonly refused?: { readonly body: string; readonly note: boolean; readonly reason: string };
}

const AFTER = [
  { value: 'stay', label: 'stay here' },
  { value: 'next', label: 'go to the next' },
  { value: 'back', label: 'go back to the list' },
] as const;

/** What is typed is kept in the browser under `data-draft` until it is sent. */
export function Composer({ ticket, query, next, refused }: ComposerProps) {
  const { me, preferences } = useFrame();
  const { number, customer } = ticket;
  return (
    <Form
      action={`/tickets/${number}/messages`}
      class="composer"
      id="composer"
      label="Answer"
      swap="folders tickets facts thread composer toasts"
      files
    >
      <Hidden fields={{ back: searchOf(query), next: next === null ? '' : String(next) }} />
      {refused && (
        <Notice tone="bad" role="alert">
          {refused.reason}
        </Notice>
      )}
      <div class="row apart">
        <fieldset class="segments">
          <legend class="unseen">Kind of message</legend>
          <Kind value="reply" label="Reply" chosen={!refused?.note} />
          <Kind value="note" label="Note" chosen={refused?.note ?? false} />
        </fieldset>
        <span
          class="quiet small clip"
          id="composer-hint"
        >{`A reply goes to ${customer.email}; a note stays here.`}</span>
      </div>
      <textarea
        name="body"
        id="body"
        required
        rows={4}
        aria-label="Message"
        aria-describedby="composer-hint"
        data-draft={`${me.agentId}:ticket-${number}`}
      >
        {refused?.body ?? ''}
      </textarea>
      <FilesField />
      <div class="row apart">
        <label class="row small">
          After sending
          <select name="after" class="slim">
            <Options choices={AFTER} chosen={preferences.afterSending} />
          </select>
        </label>
        <div class="row">
          <button type="submit" name="close" value="yes">
            Send and close
          </button>
          <button type="submit" class="primary" data-send>
            Send
          </button>
        </div>
      </div>
    </Form>
  );
}

function Kind({ value, label, chosen }: { value: string; label: string; chosen: boolean }) {
  return (
    <label>
      <input type="radio" name="kind" value={value} checked={chosen} />
      {label}
    </label>
  );
}
