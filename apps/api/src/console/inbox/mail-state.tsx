import type { Message, OutgoingMailState } from '#libs/entities';
import { ActionButton } from '../../pages/parts/form.js';
import { Pill, type Tone } from '../../pages/parts/indicators.js';

const WORDS: Readonly<Record<OutgoingMailState, readonly [Tone, string]>> = {
  queued: ['quiet', 'Being mailed'],
  sent: ['quiet', 'Mailed'],
  bounced: ['bad', 'The mail came back'],
  failed: ['bad', 'Not mailed'],
  unsure: ['warn', 'May not have arrived'],
  caught: ['quiet', 'Kept in this trial'],
};

const CAN_BE_SENT_AGAIN: ReadonlySet<OutgoingMailState> = new Set(['bounced', 'failed', 'unsure']);

const SWAPPED_PARTS = 'thread toasts';

export function MailPill({ state }: { state: OutgoingMailState }) {
  const [tone, words] = WORDS[state];
  return <Pill tone={tone}>{words}</Pill>;
}

interface MailTroubleProps {
  readonly message: Message;
  /** Of a deleted ticket nothing is sent. */
  readonly canSendAgain: boolean;
}

/** Why a mail was not sent, or may not have been, and a way to send it again. Nothing does that by itself. */
export function MailTrouble({ message, canSendAgain }: MailTroubleProps) {
  const { id, ticketNumber, delivery, deliveryReason } = message;
  if (delivery === null || deliveryReason === null) return null;
  return (
    <div class="row apart">
      <p class="small" dir="auto">
        {deliveryReason}
      </p>
      {CAN_BE_SENT_AGAIN.has(delivery) && canSendAgain && (
        <ActionButton
          to={`/tickets/${ticketNumber}/messages/${id}/send-again`}
          label="Send again"
          class="slim"
          swap={SWAPPED_PARTS}
        />
      )}
    </div>
  );
}
