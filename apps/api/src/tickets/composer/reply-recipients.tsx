import type { Customer, Draft, FieldError, Ticket } from '#libs/entities';
import { MAX_CC } from '#libs/tickets';
import { usePageContext } from '../../ui/page-context.js';
import { NoticeBox } from '../../ui/parts/indicators.js';
import { offeredCc } from './composer-form.js';

export function ReplyRecipients({ ticket, draft }: { readonly ticket: Ticket; readonly draft: Draft | null }) {
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
  if (code === 'too_many') return `A reply has at most ${MAX_CC} people in Cc.`;
  return code === 'not_an_email' ? `“${left}” is not an e-mail address.` : message;
}

interface RecipientWarningProps {
  readonly lastCustomer: Customer | null;
  readonly recipients: readonly string[];
}

/** Warns if the last author, who may be any recipient of the thread, does not get the reply. */
export function RecipientWarning({ lastCustomer, recipients }: RecipientWarningProps) {
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
