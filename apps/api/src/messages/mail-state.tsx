import {
  type MailedCopy,
  type Message,
  type OutgoingMailState,
  SENDER_CHECKS,
  type SenderResult,
  type SenderVerdicts,
} from '#libs/entities';
import { ActionButton } from '../layers/ui/parts/form.js';
import { Pill, type Tone } from '../layers/ui/parts/indicators.js';

const STATE_WORDS: Readonly<Record<OutgoingMailState, readonly [Tone, string]>> = {
  queued: ['quiet', 'Sending'],
  sent: ['quiet', 'Sent'],
  bounced: ['bad', 'Bounced'],
  failed: ['bad', 'Not sent'],
  unsure: ['warn', 'May not have arrived'],
  caught: ['quiet', 'Not sent (trial)'],
};

const CAN_BE_SENT_AGAIN: ReadonlySet<OutgoingMailState> = new Set(['bounced', 'failed', 'unsure']);

export function MailPill({ state }: { state: OutgoingMailState }) {
  const [tone, words] = STATE_WORDS[state];
  return <Pill tone={tone}>{words}</Pill>;
}

const hasFailed = ({ state }: MailedCopy): boolean => CAN_BE_SENT_AGAIN.has(state);

/** Counts failed copies. `MailPill` shows the state of the customer’s mail. */
export function CopiesPill({ copies }: { copies: readonly MailedCopy[] }) {
  const failed = copies.filter(hasFailed).length;
  return failed === 0 ? null : <Pill tone="warn">{`Cc: ${failed} of ${copies.length} not reached`}</Pill>;
}

export function MailTrouble({ message, canSendAgain }: { message: Message; canSendAgain: boolean }) {
  const { id, ticketNumber, delivery, deliveryReason, copies } = message;
  const troubled = copies.filter(({ state, reason }) => state !== 'caught' && reason !== null);
  if (delivery === null || (deliveryReason === null && troubled.length === 0)) return null;
  const endedBadly = CAN_BE_SENT_AGAIN.has(delivery) || copies.some(hasFailed);
  return (
    <div class="row apart">
      <div class="small break" dir="auto">
        {deliveryReason !== null && <p>{deliveryReason}</p>}
        {troubled.map(({ recipient, reason }) => (
          <p key={recipient}>
            <strong>{recipient}</strong>
            {`: ${reason}`}
          </p>
        ))}
      </div>
      {endedBadly && canSendAgain && (
        <ActionButton
          to={`/tickets/${ticketNumber}/messages/${id}/send-again`}
          label="Resend"
          class="slim"
          swap="thread toasts"
        />
      )}
    </div>
  );
}

export function SenderVerdictsPill({ verdicts }: { verdicts: SenderVerdicts | null }) {
  const results = SENDER_CHECKS.flatMap((check) => (verdicts?.[check] ? [[check, verdicts[check]] as const] : []));
  if (results.length === 0) return null;
  const isRight = verdicts?.dmarc === 'pass';
  const all = results.map(([check, result]) => `${check.toUpperCase()} ${RESULT_WORDS[result]}`).join(', ');
  return (
    <Pill tone={isRight ? 'good' : 'warn'} title={all}>
      {isRight ? 'Sender verified' : all}
    </Pill>
  );
}

const RESULT_WORDS: Readonly<Record<SenderResult, string>> = {
  pass: 'passed',
  fail: 'failed',
  softfail: 'soft-failed',
  neutral: 'neutral',
  none: 'is not set up',
  policy: 'overridden by policy',
  temperror: 'could not be checked',
  permerror: 'is misconfigured',
};
