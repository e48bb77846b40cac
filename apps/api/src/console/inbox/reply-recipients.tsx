import type { Draft, Ticket } from '#libs/entities';
import { usePageContext } from '../../pages/page-context.js';
import { offeredCc } from './recipients-form.js';

/** Whom a reply goes to. Everybody in Cc can be taken out and put back, also without a script. */
export function ReplyRecipients({ ticket, draft }: { readonly ticket: Ticket; readonly draft: Draft | null }) {
  const { values } = usePageContext().form;
  return (
    <fieldset class="recipients">
      <legend class="unseen">Recipients</legend>
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
      {/* Enter must not send: a line of its own is one more address. */}
      <textarea name="more_cc" rows={1} placeholder="Add addresses" aria-label="Add to Cc" inputMode="email">
        {values['more_cc'] ?? ''}
      </textarea>
    </fieldset>
  );
}
