import type { Customer } from '#libs/entities';
import { NoticeBox } from '../../pages/parts/indicators.js';

interface RecipientWarningProps {
  /** Who wrote the latest message that is no agent’s. */
  readonly lastCustomer: Customer | null;
  /** Addresses in To and Cc of the reply. */
  readonly recipients: readonly string[];
}

/** Anybody who has a mail of the thread may write into a ticket, and would not get the reply. */
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
