import type { Customer, Draft, Ticket } from '#libs/entities';
import type { MailRoute } from '#libs/mail';
import type { ComponentChildren } from 'preact';
import { usePageContext } from '../../ui/page-context.js';
import { FilesField } from '../../ui/parts/files-field.js';
import { SelectOptions } from '../../ui/parts/fields.js';
import { Form, HiddenFields } from '../../ui/parts/form.js';
import { DraftState } from './draft-state.js';
import { type InboxQuery, toSearchParams } from '../../shell/inbox-query.js';
import { RecipientWarning, ReplyRecipients } from './reply-recipients.js';
import { offeredCc } from './composer-form.js';

interface ComposerProps {
  readonly ticket: Ticket;
  readonly query: InboxQuery;
  /** The number of the next ticket in the list. */
  readonly next: number | null;
  readonly draft: Draft | null;
  /** To keep what is written when the session ends meanwhile. */
  readonly permit: string;
  /** Which messages the page shows, with the replies that wait. */
  readonly seen: string;
  readonly mailRoute: MailRoute;
  readonly lastCustomer: Customer | null;
  /** Why the text was not sent. */
  readonly alert: ComponentChildren;
}

const AFTER_SENDING_CHOICES = [
  { value: 'stay', label: 'stay here' },
  { value: 'next', label: 'go to the next' },
  { value: 'back', label: 'go back to the list' },
] as const;

/** The browser keeps what is typed under `data-draft` until the server has it. */
export function Composer(props: ComposerProps) {
  const { ticket, query, next, draft, permit, seen, mailRoute, lastCustomer, alert } = props;
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
      <HiddenFields
        fields={{
          back: toSearchParams(query),
          next: next === null ? '' : String(next),
          seen,
          permit,
        }}
      />
      {alert}
      {/* Enter presses the first button of a form, which would otherwise be one that removes a file. */}
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
          {`${whereReplyGoes(mailRoute)} A note is for agents.`}
        </span>
      </div>
      <RecipientWarning lastCustomer={lastCustomer} recipients={[ticket.customer.email, ...cc]} />
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
      {/* Files come last: an upload that is refused midway has brought all fields before. */}
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
              Keep as draft
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

const whereReplyGoes = (route: MailRoute): string =>
  ({
    smtp: 'A reply goes out by mail.',
    caught: 'This trial sends no mail: a reply is kept and shown under Outgoing mail.',
    none: 'Nothing is mailed from here: webhooks pass replies on.',
  })[route];
