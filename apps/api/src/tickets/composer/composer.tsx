import type { MailRoute } from '#libs/mail';
import type { Customer, Draft, FieldError, Ticket } from '#libs/entities';
import { MAX_CC } from '#libs/tickets';
import { type InboxQuery, toSearchParams } from '../inbox-query.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { FilesField, SelectOptions } from '../../layers/ui/parts/fields.js';
import { Form, FormAlert, HiddenFields } from '../../layers/ui/parts/form.js';
import type { OpenTicket } from '../inbox/open-ticket.reader.js';
import { offeredCc } from './composer-form.js';
import { DraftState } from './draft-state.js';
import { HeldBack } from './held-back.js';
import { NoticeBox } from '../../layers/ui/parts/indicators.js';

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
  smtp: 'Replies are sent by email.',
  caught: 'Trial mode: replies are not emailed. View them under Outgoing mail.',
  none: 'Replies are not emailed. Webhooks deliver them.',
};

function ReplyRecipients({ ticket, draft }: { readonly ticket: Ticket; readonly draft: Draft | null }) {
  const { values, faults } = usePageContext().form;
  const fault = faults.find(({ field }) => field === 'cc');
  return (
    <fieldset class="recipients">
      <legend class="unseen">Recipients</legend>
      <div class="people">
        <span class="to break">
          <span class="quiet">To</span> {ticket.customer.email}
        </span>
        <span class="quiet">Cc</span>
        {offeredCc(ticket, draft, values).map(({ address, isChosen }) => (
          <label class="chip" key={address} title={address}>
            <input type="checkbox" name="cc" value={address} checked={isChosen} />
            <input type="hidden" name="cc_offered" value={address} />
            <span class="clip">{address}</span>
          </label>
        ))}
        {/* A textarea, so that Enter adds an address instead of sending. */}
        <textarea
          name="more_cc"
          rows={1}
          placeholder="Add addresses"
          aria-label="Add to Cc"
          inputMode="email"
          {...(fault && { 'aria-invalid': 'true', 'aria-describedby': 'cc-fault' })}
        >
          {values['more_cc'] ?? ''}
        </textarea>
      </div>
      {fault && (
        <p class="fault" id="cc-fault">
          {describeFault(fault, values['more_cc'] ?? '')}
        </p>
      )}
    </fieldset>
  );
}

/** `left` has only the invalid addresses. */
function describeFault({ code, message }: FieldError, left: string): string {
  if (code === 'too_many') return `A reply can have at most ${MAX_CC} Cc recipients.`;
  return code === 'not_an_email' ? `“${left}” is not an email address.` : message;
}

interface RecipientWarningProps {
  readonly lastCustomer: Customer | null;
  readonly recipients: readonly string[];
}

/** Warns if the last author, who may be any recipient of the thread, does not get the reply. */
function RecipientWarning({ lastCustomer, recipients }: RecipientWarningProps) {
  const isMissing = lastCustomer !== null && !recipients.includes(lastCustomer.email);
  return (
    <div id="recipient-warning" role="status" data-live>
      {isMissing && (
        <NoticeBox tone="warn">
          {`${lastCustomer.email} wrote last, but your reply goes to ${recipients.join(', ')}.`}
        </NoticeBox>
      )}
    </div>
  );
}
