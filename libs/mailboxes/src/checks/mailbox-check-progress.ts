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
  'Mailboxes cannot be checked in trial mode, which sends no email. Enter a mail server under “Send email (SMTP)”, or set SMTP_URL.';

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
  if (state === 'connected' || source === 'imap') return done(`Signed in to ${host} (folder ${folder}).`);
  if (state === 'paused') return failed(`Fetching mail from ${host} is paused. Resume it.`);
  if (state === 'failing')
    return failed(`Cannot connect to ${host}. ${sentence(lastError)} Correct the IMAP settings or fix the server.`);
  if (!isLate(startedAt, now)) return waiting(`Connecting to ${host}.`);
  return failed(`No worker has connected to ${host} within two minutes. Is a worker running?`);
}

function sent(check: MailboxCheck, now: Date): Finding {
  const { email, startedAt, arrivedAt, mailState, smtpHost } = check;
  const server = smtpHost ?? 'the mail server of this installation';
  if (mailState === 'sent' || arrivedAt !== null) return done(`Sent to ${email} through ${server}.`);
  if (mailState !== 'queued') return failed(NOT_SENT[mailState](check));
  return isLate(startedAt, now)
    ? failed(`The email was not sent within two minutes. Is a worker running, and does ${server} respond?`)
    : waiting(`Sending an email to ${email} through ${server}.`);
}

type NotSent = Exclude<MailboxCheck['mailState'], 'sent' | 'queued'>;

const NOT_SENT: Readonly<Record<NotSent, (check: MailboxCheck) => string>> = {
  failed: ({ reason, smtpHost }) =>
    `The email was not sent. ${sentence(reason)} ${smtpHost ? OWN_SERVER : INSTALLATION}`,
  bounced: ({ reason, email }) => `The email bounced. ${sentence(reason)} Does ${email} exist?`,
  unsure: ({ reason }) => `${sentence(reason)} Check again if the email does not arrive.`,
  caught: () => KEPT_IN_TRIAL,
};

const OWN_SERVER = 'Correct the settings under “Send email (SMTP)” or fix the server.';
const INSTALLATION =
  'Ask the operator to check SMTP_URL and its server, or enter another server under “Send email (SMTP)”.';

const WAYS: Readonly<Record<ArrivalSource, string>> = {
  api: 'through the API',
  smtp: 'by SMTP',
  lmtp: 'by LMTP',
  imap: 'by IMAP',
};

function returned({ email, startedAt, arrivedAt, source, endedAt, imap }: MailboxCheck, now: Date): Finding {
  if (arrivedAt !== null && source !== null) {
    const seconds = Math.max(0, Math.round((arrivedAt.getTime() - startedAt.getTime()) / 1000));
    return done(`Arrived ${WAYS[source]} after ${seconds} s and was recognised.`);
  }
  if (endedAt === null || !isLate(endedAt, now)) return waiting('Waiting up to two minutes for it to arrive.');
  const where = imap
    ? `It is not in the folder ${imap.folder} at ${imap.host}. Check other folders, such as spam.`
    : 'Forward mail from that server to this installation, or fetch it by IMAP.';
  return failed(
    `The email was sent but did not arrive within two minutes. Does the mail server for ${email} deliver to this installation? ${where}`,
  );
}

const sentence = (text: string | null): string => (text === null || /[.!?]$/.test(text) ? (text ?? '') : `${text}.`);
