import type { MailRoute } from '#libs/mail';
import { type InboxQuery, toSearchParams } from '../../shell/inbox-query.js';
import { usePageContext } from '../../ui/page-context.js';
import { FilesField, SelectOptions } from '../../ui/parts/fields.js';
import { Form, FormAlert, HiddenFields } from '../../ui/parts/form.js';
import type { OpenTicket } from '../inbox/inbox.reader.js';
import { offeredCc } from './composer-form.js';
import { DraftState } from './draft-state.js';
import { HeldBack } from './held-back.js';
import { RecipientWarning, ReplyRecipients } from './reply-recipients.js';

interface ComposerProps {
  readonly open: OpenTicket;
  readonly query: InboxQuery;
  readonly next: number | null;
  /** The messages and scheduled replies that the page shows. */
  readonly seen: string;
}

const AFTER_SENDING_CHOICES = [
  { value: 'stay', label: 'stay here' },
  { value: 'next', label: 'go to the next' },
  { value: 'back', label: 'go back to the list' },
] as const;

/** The browser stores the text under `data-draft` until the server has it. */
export function Composer({ open, query, next, seen }: ComposerProps) {
  const { ticket, draft, permit, mailRoute, heldBack } = open;
  const { me, preferences, form } = usePageContext();
  const { number } = ticket;
  const cc = offeredCc(ticket, draft, form.values)
    .filter(({ isChosen }) => isChosen)
    .map(({ address }) => address);
  const draftKind = draft?.note ? 'note' : 'reply';
  const { body = draft?.body ?? '', kind = draftKind, after = draft?.afterSending } = form.values;
  return (
    <Form
      action={`/tickets/${number}/messages`}
      class="composer"
      id="composer"
      label="Answer"
      swap="folders tickets facts thread composer toasts"
      files
      autocomplete="off"
    >
      <HiddenFields fields={{ back: toSearchParams(query), next: String(next ?? ''), seen, permit }} />
      {heldBack ? <HeldBack seen={heldBack} open={open} /> : <FormAlert />}
      {/* Enter presses the first button of a form. Without this one, it would remove a file. */}
      <button type="submit" class="unseen" tabIndex={-1} aria-hidden="true">
        Send
      </button>
      <div class="row apart">
        <fieldset class="segments">
          <legend class="unseen">Kind of message</legend>
          <MessageKindRadio value="reply" label="Reply" chosen={kind !== 'note'} />
          <MessageKindRadio value="note" label="Note" chosen={kind === 'note'} />
        </fieldset>
        <span class="quiet small" id="composer-hint">
          {`${ROUTE_WORDS[mailRoute]} Only agents see notes.`}
        </span>
      </div>
      <RecipientWarning lastCustomer={open.thread.lastCustomer} recipients={[ticket.customer.email, ...cc]} />
      <ReplyRecipients ticket={ticket} draft={draft} />
      <textarea
        name="body"
        id="body"
        dir="auto"
        required
        rows={4}
        aria-label="Message"
        aria-describedby="composer-hint"
        data-draft={`${me.agentId}:ticket-${number}`}
      >
        {body}
      </textarea>
      <DraftState number={number} draft={draft} />
      {/* Last, so that a rejected upload has delivered the fields. */}
      <div class="row apart">
        <label class="row small">
          After sending
          <select name="after" class="slim">
            <SelectOptions choices={AFTER_SENDING_CHOICES} chosen={after || preferences.afterSending} />
          </select>
        </label>
        <FilesField />
      </div>
      <div class="row apart">
        <div class="row">
          <noscript>
            <button type="submit" formAction={`/tickets/${number}/draft`} formNoValidate>
              Save draft
            </button>
          </noscript>
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

function MessageKindRadio({ value, label, chosen }: { value: string; label: string; chosen: boolean }) {
  return (
    <label>
      <input type="radio" name="kind" value={value} checked={chosen} />
      {label}
    </label>
  );
}

const ROUTE_WORDS: Readonly<Record<MailRoute, string>> = {
  smtp: 'Replies are sent by mail.',
  caught: 'This trial sends no mail. Replies are listed under Outgoing mail.',
  none: 'No mail is sent. Webhooks deliver replies.',
};
