import { later } from '#libs/database';
import type { ArrivalSource } from '#libs/entities';
import type { MailboxCheck } from './mailbox-check.statements.js';

/** A working mail server takes less time. */
const PATIENCE_MS = 2 * 60_000;

export interface MailboxCheckStep {
  readonly name: 'sign_in' | 'send' | 'return';
  readonly state: 'done' | 'waiting' | 'failed';
  readonly text: string;
}

export interface MailboxCheckProgress {
  readonly startedAt: Date;
  readonly result: 'running' | 'passed' | 'failed';
  readonly steps: readonly MailboxCheckStep[];
}

export const KEPT_IN_TRIAL =
  'This is a trial: mail is kept here and nothing goes out, so nothing can come back. Give the mailbox a mail server of its own under “Sending”, or set SMTP_URL.';

export function progressOf(check: MailboxCheck, now: Date): MailboxCheckProgress {
  const steps = stepsOf(check, now);
  return { startedAt: check.startedAt, result: resultOf(steps), steps };
}

function stepsOf(check: MailboxCheck, now: Date): MailboxCheckStep[] {
  const sending = { name: 'send', ...sent(check, now) } as const;
  return [
    ...(check.imap ? [{ name: 'sign_in', ...signedIn(check, check.imap, now) } as const] : []),
    sending,
    ...(sending.state === 'done' ? [{ name: 'return', ...returned(check, now) } as const] : []),
  ];
}

function resultOf(steps: readonly MailboxCheckStep[]): MailboxCheckProgress['result'] {
  if (steps.some(({ state }) => state === 'waiting')) return 'running';
  return steps.every(({ state }) => state === 'done') ? 'passed' : 'failed';
}

type Finding = Omit<MailboxCheckStep, 'name'>;

const done = (text: string): Finding => ({ state: 'done', text });
const waiting = (text: string): Finding => ({ state: 'waiting', text });
const failed = (text: string): Finding => ({ state: 'failed', text });

const isLate = (since: Date, now: Date): boolean => now >= later(since, PATIENCE_MS);

function signedIn(
  { startedAt, source }: MailboxCheck,
  { state, host, folder, lastError }: NonNullable<MailboxCheck['imap']>,
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

function sent(check: MailboxCheck, now: Date): Finding {
  const { email, startedAt, arrivedAt, mailState, smtpHost } = check;
  const server = smtpHost ?? 'the mail server of this installation';
  if (mailState === 'sent' || arrivedAt !== null) return done(`Sent to ${email} through ${server}.`);
  if (mailState !== 'queued') return failed(NOT_SENT[mailState](check));
  return isLate(startedAt, now)
    ? failed(`The mail has not gone out within two minutes. Is a worker running, and does ${server} answer?`)
    : waiting(`Sending a mail to ${email} through ${server}.`);
}

type NotSent = Exclude<MailboxCheck['mailState'], 'sent' | 'queued'>;

const NOT_SENT: Readonly<Record<NotSent, (check: MailboxCheck) => string>> = {
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

function returned({ email, startedAt, arrivedAt, source, endedAt, imap }: MailboxCheck, now: Date): Finding {
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

const sentence = (text: string | null): string => (text === null || /[.!?]$/.test(text) ? (text ?? '') : `${text}.`);
