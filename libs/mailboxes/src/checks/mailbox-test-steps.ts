import { later } from '#libs/database';
import type { ArrivalSource } from '#libs/entities';
import type { RunningTest } from './mailbox-test.statements.js';

/** Longer than a server that works needs, and as long as somebody waits for it. */
const PATIENCE_MS = 2 * 60_000;

/** One step of a test, in words for whoever set the mailbox up. */
export interface TestStep {
  readonly name: 'sign_in' | 'send' | 'return';
  readonly state: 'done' | 'waiting' | 'failed';
  readonly text: string;
}

/** How far the latest test of a mailbox is. */
export interface MailboxTestProgress {
  readonly startedAt: Date;
  readonly result: 'running' | 'passed' | 'failed';
  readonly steps: readonly TestStep[];
}

export const KEPT_IN_TRIAL =
  'This is a trial: mail is kept here and nothing goes out, so nothing can come back. Give the mailbox a mail server of its own under “Sending”, or set SMTP_URL.';

export function progressOf(test: RunningTest, now: Date): MailboxTestProgress {
  const steps = stepsOf(test, now);
  return { startedAt: test.startedAt, result: resultOf(steps), steps };
}

/** Nothing is looked for that was not sent. */
function stepsOf(test: RunningTest, now: Date): TestStep[] {
  const sending = { name: 'send', ...sent(test, now) } as const;
  return [
    ...(test.imap ? [{ name: 'sign_in', ...signedIn(test, test.imap, now) } as const] : []),
    sending,
    ...(sending.state === 'done' ? [{ name: 'return', ...returned(test, now) } as const] : []),
  ];
}

function resultOf(steps: readonly TestStep[]): MailboxTestProgress['result'] {
  if (steps.some(({ state }) => state === 'waiting')) return 'running';
  return steps.every(({ state }) => state === 'done') ? 'passed' : 'failed';
}

type Finding = Omit<TestStep, 'name'>;

const done = (text: string): Finding => ({ state: 'done', text });
const waiting = (text: string): Finding => ({ state: 'waiting', text });
const failed = (text: string): Finding => ({ state: 'failed', text });

const isLate = (since: Date, now: Date): boolean => now >= later(since, PATIENCE_MS);

function signedIn(
  { startedAt, source }: RunningTest,
  { state, host, folder, lastError }: NonNullable<RunningTest['imap']>,
  now: Date,
): Finding {
  if (state === 'connected' || source === 'imap') return done(`Signed in to ${host}, to read the folder ${folder}.`);
  if (state === 'paused') return failed(`Fetching mail from ${host} is paused. Resume it.`);
  if (state === 'failing')
    return failed(
      `No connection to ${host} works. ${sentence(lastError)} Correct what is set up for IMAP, or that server.`,
    );
  if (!isLate(startedAt, now)) return waiting(`Connecting to ${host}.`);
  return failed(`No worker has connected to ${host} within two minutes. Is a worker running?`);
}

function sent(test: RunningTest, now: Date): Finding {
  const { email, startedAt, arrivedAt, mailState, smtpHost } = test;
  const server = smtpHost ?? 'the mail server of this installation';
  if (mailState === 'sent' || arrivedAt !== null) return done(`Sent to ${email} through ${server}.`);
  if (mailState !== 'queued') return failed(NOT_SENT[mailState](test));
  return isLate(startedAt, now)
    ? failed(`The mail has not gone out within two minutes. Is a worker running, and does ${server} answer?`)
    : waiting(`Sending a mail to ${email} through ${server}.`);
}

type NotSent = Exclude<RunningTest['mailState'], 'sent' | 'queued'>;

const NOT_SENT: Readonly<Record<NotSent, (test: RunningTest) => string>> = {
  failed: ({ reason, smtpHost }) =>
    `The mail was not sent. ${sentence(reason)} ${smtpHost ? OWN_SERVER : INSTALLATION}`,
  bounced: ({ reason, email }) => `The mail came back as undeliverable. ${sentence(reason)} Does ${email} exist?`,
  unsure: ({ reason }) => `${sentence(reason)} Test again if the mail does not come back.`,
  caught: () => KEPT_IN_TRIAL,
};

const OWN_SERVER = 'Correct what is set up under “Sending”, or that server.';
const INSTALLATION =
  'Have the operator look at SMTP_URL and its server, or name a server of the mailbox’s own under “Sending”.';

const WAYS: Readonly<Record<ArrivalSource, string>> = {
  api: 'over the API',
  smtp: 'by SMTP',
  lmtp: 'by LMTP',
  imap: 'by IMAP',
};

function returned({ email, startedAt, arrivedAt, source, endedAt, imap }: RunningTest, now: Date): Finding {
  if (arrivedAt !== null && source !== null) {
    const seconds = Math.max(0, Math.round((arrivedAt.getTime() - startedAt.getTime()) / 1000));
    return done(`Came back ${WAYS[source]} after ${seconds} s, and is known to be ours.`);
  }
  if (endedAt === null || !isLate(endedAt, now)) return waiting('Waiting for it to come back, up to two minutes.');
  const where = imap
    ? `It was looked for in the folder ${imap.folder} at ${imap.host}. See whether it is in another one, such as that for spam.`
    : 'Have that server hand mail over to this installation, or have it fetched by IMAP.';
  return failed(
    `The mail was sent, and has not come back after two minutes: does the server of ${email} deliver here? ${where}`,
  );
}

/** Servers end their sentences as they like. */
const sentence = (text: string | null): string => (text === null || /[.!?]$/.test(text) ? (text ?? '') : `${text}.`);
