import type { Customer } from '#libs/entities';
import { NoticeBox } from '../../ui/parts/indicators.js';

interface RecipientWarningProps {
  /** Author of the latest message that is not from an agent. */
  readonly lastCustomer: Customer | null;
  /** Addresses in To and Cc of the reply. */
  readonly recipients: readonly string[];
}

/** Any recipient of a mail of the thread can write into the ticket, and may not get the reply. */
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
