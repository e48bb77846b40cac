import { SENDER_CHECKS, type SenderResult, type SenderVerdicts } from '#libs/entities';
import { Pill } from '../ui/parts/indicators.js';

/** What the mailbox’s own server found out about a sender: in a word, and all of it for whoever looks closer. */
export function SenderVerdictsPill({ verdicts }: { verdicts: SenderVerdicts | null }) {
  const looked = SENDER_CHECKS.flatMap((check) => (verdicts?.[check] ? [[check, verdicts[check]] as const] : []));
  if (looked.length === 0) return null;
  const isRight = verdicts?.dmarc === 'pass';
  const all = looked.map(([check, result]) => `${check.toUpperCase()} ${WORDS[result]}`).join(', ');
  return (
    <Pill tone={isRight ? 'good' : 'warn'} title={all}>
      {isRight ? 'Sender checked' : all}
    </Pill>
  );
}

const WORDS: Readonly<Record<SenderResult, string>> = {
  pass: 'passed',
  fail: 'failed',
  softfail: 'failed softly',
  neutral: 'says nothing',
  none: 'is not set up',
  policy: 'was overruled',
  temperror: 'could not be checked',
  permerror: 'is set up wrongly',
};
