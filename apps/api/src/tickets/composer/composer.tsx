import type { MailRoute } from '#libs/mail';
import type { Customer, Draft, FieldError, Ticket } from '#libs/entities';
import { MAX_CC } from '#libs/tickets';
import { type InboxQuery, toSearchParams } from '../inbox-query.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { FilesField, SelectOptions } from '../../layers/ui/parts/fields.js';
import { Form, FormAlert, HiddenFields } from '../../layers/ui/parts/form.js';
import type { OpenTicket } from '../inbox/open-ticket.reader.js';
import { sendChoices } from '../inbox/snooze-times.js';
import { offeredCc } from './composer-form.js';
import { MarkdownPreview, PreviewButton } from './markdown-preview.js';
import { DraftState } from './draft-state.js';
import { HeldBack } from './held-back.js';
import { SavedReplyEffects, SavedReplyMenu } from '../saved-replies/saved-reply-picker.js';
import { NoticeBox } from '../../layers/ui/parts/indicators.js';

interface ComposerProps {
  readonly open: OpenTicket;
  readonly query: InboxQuery;
  readonly next: number | null;
  /** The messages and scheduled replies that the page shows. */
  readonly seen: string;
}

const KINDS = [
  { value: 'reply', label: 'Reply' },
  { value: 'note', label: 'Note' },
] as const;

const AFTER_SENDING_CHOICES = [
  { value: 'stay', label: 'stay here' },
  { value: 'next', label: 'go to the next' },
  { value: 'back', label: 'go back to the list' },
] as const;

/** The browser stores the text under `data-draft` until the server has it. */
export function Composer({ open, query, next, seen }: ComposerProps) {
  const { ticket, draft, permit, mailRoute, heldBack, savedReply } = open;
  const { me, preferences, form } = usePageContext();
  const { number } = ticket;
  const cc = offeredCc(ticket, draft, form.values).filter(({ isChosen }) => isChosen);
  const recipients = [ticket.customer.email, ...cc.map(({ address }) => address)];
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
          next: String(next ?? ''),
          seen,
          permit,
          customer: ticket.customer.id,
          ...(preferences.takesReplied && { take: 'on' }),
        }}
      />
      {heldBack ? <HeldBack seen={heldBack} open={open} /> : <FormAlert />}
      <fieldset class="segments">
        <legend class="unseen">Kind of message</legend>
        {KINDS.map(({ value, label }) => (
          <label key={value}>
            <input type="radio" name="kind" value={value} checked={(kind === 'note') === (value === 'note')} />
            {label}
          </label>
        ))}
      </fieldset>
      <span class="as-note quiet small">Only agents see notes.</span>
      <ReplyRecipients ticket={ticket} draft={draft} />
      <RecipientWarning lastCustomer={open.thread.lastCustomer} recipients={recipients} />
      {mailRoute !== 'smtp' && <p class="as-reply quiet small">{ROUTE_WORDS[mailRoute]}</p>}
      <MarkdownPreview shown={open.thread.preview} />
      <textarea
        name="body"
        id="body"
        dir="auto"
        required
        rows={1}
        aria-label="Message"
        placeholder="Write a reply or a note"
        data-draft={`${me.agentId}:ticket-${number}`}
      >
        {body}
      </textarea>
      <div class="as-reply" data-effects>
        {savedReply && <SavedReplyEffects reply={savedReply} />}
      </div>
      <p class="hint quiet small">Markdown: **bold** *italic* - list `code` &gt; quote</p>
      {/* Enter presses the first button of a form. A later one removes a file. */}
      <SendButtons ticket={ticket} after={after || preferences.afterSending} />
      <DraftState number={number} draft={draft} />
      <SavedReplyMenu number={number} />
      {/* Last, so that a rejected upload has delivered the fields. */}
      <FilesField iconOnly />
      <PreviewButton number={number} />
      <div class="arrived" role="status">
        <button type="button" class="slim" data-arrived hidden />
      </div>
    </Form>
  );
}

function SendButtons({ ticket, after }: { readonly ticket: Ticket; readonly after: string }) {
  return (
    <div class="split">
      <button type="submit" class="primary" data-send>
        <span class="as-reply">Send</span>
        <span class="as-note">Add note</span>
      </button>
      <details class="menu">
        <summary class="button primary" aria-label="More ways to send">
          ▾
        </summary>
        <div class="sheet">
          <div class="stack">
            {ticket.state !== 'closed' && (
              <button type="submit" name="then_state" value="closed">
                <span class="as-reply">Send and close</span>
                <span class="as-note">Add note and close</span>
              </button>
            )}
            <button type="submit" name="then_state" value="pending" class="as-reply">
              Send and wait for customer
            </button>
            <SendLater />
            <label class="field small">
              After sending
              <select name="after">
                <SelectOptions choices={AFTER_SENDING_CHOICES} chosen={after} />
              </select>
            </label>
          </div>
        </div>
      </details>
      <noscript>
        <button type="submit" formAction={`/tickets/${ticket.number}/draft`} formNoValidate>
          Save draft
        </button>
      </noscript>
    </div>
  );
}

/** The buttons come first, because the first value counts. */
function SendLater() {
  const { me, now } = usePageContext();
  return (
    <div class="as-reply stack" role="group" aria-label="Send later">
      {sendChoices(now, me.timeZone).map(({ value, label }) => (
        <button type="submit" name="send_at" value={value} key={value}>
          {label}
        </button>
      ))}
      <label class="field small">
        Send at
        <input type="datetime-local" name="send_at" />
      </label>
      <button type="submit" name="schedule" value="yes">
        Schedule
      </button>
    </div>
  );
}

export const ROUTE_WORDS: Readonly<Record<MailRoute, string>> = {
  smtp: '',
  caught: 'Trial mode: messages are not emailed. View them under Outgoing mail.',
  none: 'Messages are not emailed. Webhooks deliver them.',
};

/** Closed, so that twenty addresses do not push the conversation away. */
function ReplyRecipients({ ticket, draft }: { readonly ticket: Ticket; readonly draft: Draft | null }) {
  const { values, faults } = usePageContext().form;
  const fault = faults.find(({ field }) => field === 'cc');
  const offered = offeredCc(ticket, draft, values);
  const chosen = offered.filter(({ isChosen }) => isChosen).length;
  return (
    <details class="recipients as-reply" aria-label="Recipients" open={fault !== undefined}>
      <summary>
        <span class="clip">
          <span class="quiet">To</span> {ticket.customer.email}
        </span>
        <span data-cc>{chosen > 0 && `Cc ${chosen}`}</span>
      </summary>
      <div class="people">
        <span class="quiet">Cc</span>
        {offered.map(({ address, isChosen }) => (
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
    </details>
  );
}

/** `left` has only the invalid addresses. */
function describeFault({ code, message }: FieldError, left: string): string {
  if (code === 'too_many') return `A reply can have at most ${MAX_CC} Cc recipients.`;
  return code === 'not_an_email' ? `“${left}” is not an email address.` : message;
}

/** Warns if the last author, who may be any recipient of the thread, does not get the reply. */
function RecipientWarning({ lastCustomer, recipients }: { lastCustomer: Customer | null; recipients: string[] }) {
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
