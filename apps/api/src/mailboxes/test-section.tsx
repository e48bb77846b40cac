import { KEPT_IN_TRIAL, type MailboxTestProgress, type TestStep } from '#libs/mailboxes';
import { ActionButton } from '../ui/parts/form.js';
import { Pill, type Tone } from '../ui/parts/indicators.js';
import { RelativeTime } from '../ui/parts/relative-time.js';
import { testPath } from './mailbox-paths.js';
import { MailboxSection, type SectionProps } from './mailbox-section.js';

/** Shows that mail goes out and comes in. What it says changes while the page is open. */
export function TestSection({ mailbox: { id, email }, test, isCaught, refused }: SectionProps) {
  const isRunning = test?.result === 'running';
  return (
    <MailboxSection title="Test" isRefused={refused === 'test'}>
      <p>{isCaught ? KEPT_IN_TRIAL : `A mail goes to ${email}, and has to come back here. It makes no ticket.`}</p>
      <div class="stack" id="mailbox-test" data-live>
        {test && <Progress test={test} />}
        {!isCaught && !isRunning && (
          <ActionButton to={testPath(id)} label={test ? 'Test again' : 'Test this mailbox'} />
        )}
      </div>
    </MailboxSection>
  );
}

function Progress({ test: { startedAt, result, steps } }: { test: MailboxTestProgress }) {
  return (
    <>
      <p role="status">
        {RESULTS[result]} <RelativeTime at={startedAt} />
      </p>
      <ul class="stack">
        {steps.map(({ name, state, text }) => (
          <li class="row nowrap" key={name}>
            <Pill tone={TONES[state]}>{state}</Pill>
            <span dir="auto">{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const RESULTS: Readonly<Record<MailboxTestProgress['result'], string>> = {
  running: 'Being tested. Started',
  passed: 'Mail goes out and comes in. Tested',
  failed: 'Something does not work. Tested',
};

const TONES: Readonly<Record<TestStep['state'], Tone>> = { done: 'good', waiting: 'accent', failed: 'bad' };
