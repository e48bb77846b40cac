import type { Database } from '#libs/database';
import { type ImapState, type MailState, readImapState, readMailState } from './doctor.statements.js';
import { type CheckResult, amber, green, red } from './finding.js';

const MINUTE = 60;
/** An email takes less than a second to process, and an unreadable one two minutes. */
const LATE_IN = { amber: 5 * MINUTE, red: 30 * MINUTE };
/** A server that does not respond is retried after 1, 2, 4 … minutes. */
const LATE_OUT = { amber: 60 * MINUTE, red: 24 * 60 * MINUTE };

/** An account could have made thousands. */
const MAX_LISTED = 10;

const minutes = (seconds: number): number => Math.round(seconds / MINUTE);

export const examineMail = async (database: Database): Promise<CheckResult> =>
  checkMail(await readMailState(database.system()));

export function checkMail({
  arriving,
  leaving,
  quarantined,
}: Pick<MailState, 'arriving' | 'leaving' | 'quarantined'>): CheckResult {
  if (arriving > LATE_IN.amber)
    return (arriving > LATE_IN.red ? red : amber)(
      `an inbound email has waited ${minutes(arriving)} minutes to be processed: check that workers run and can reach the file store`,
    );
  if (leaving > LATE_OUT.amber)
    return (leaving > LATE_OUT.red ? red : amber)(
      `an outbound email has waited ${minutes(leaving)} minutes: mail show, or Settings, Outgoing mail, shows the reason`,
    );
  return green(`inbound email is processed, outbound email is sent; ${quarantined} in quarantine`);
}

export const checkMailboxes = (reserved: readonly string[]): CheckResult =>
  reserved.length === 0
    ? green('no address has the form of a signed reply address')
    : amber(
        `${reserved.slice(0, MAX_LISTED).join(', ')}: these addresses have the form of signed reply addresses and receive no email. Change them under Settings, Mailboxes`,
      );

export const examineImap = async (database: Database): Promise<CheckResult> =>
  checkImap(await readImapState(database.system()));

export function checkImap({ failing, connected, waiting, silent, longest }: Omit<ImapState, 'paused'>): CheckResult {
  const total = failing + connected + waiting;
  if (total === 0) return green('no mailbox uses IMAP');
  if (silent === 0) return green(`the IMAP servers of all ${total} mailboxes respond`);
  return red(
    `the IMAP servers of ${silent} of ${total} mailboxes have not responded for ten minutes, the longest for ${minutes(longest)}: their pages under Settings, Mailboxes show the reason`,
  );
}
