import { type Database, systemStatement } from '#libs/database';
import { type CheckResult, amber, green, red } from './finding.js';

const MINUTE = 60;
/** A mail takes less than a second to understand, and one that cannot be read two minutes. */
const LATE_IN = { amber: 5 * MINUTE, red: 30 * MINUTE };
/** A server that is away is tried again after 1, 2, 4 … minutes. */
const LATE_OUT = { amber: 60 * MINUTE, red: 24 * 60 * MINUTE };

const MAILS = systemStatement(
  'doctor_mail',
  'The operator watches the installation, not an account',
  `select
     (select coalesce(max(extract(epoch from clock_timestamp() - created_at)), 0)::float8 from arrivals
      where state = 'waiting') as arriving,
     (select count(*)::int from arrivals where state = 'held') as held,
     (select coalesce(max(extract(epoch from clock_timestamp() - queued_at)), 0)::float8 from outgoing_mails
      where state = 'queued' and handed_over_at is null) as leaving`,
);

interface WaitingMails {
  /** In seconds: the oldest that was not understood, and the oldest that was not sent. */
  readonly arriving: number;
  readonly leaving: number;
  readonly held: number;
}

const minutes = (seconds: number): number => Math.round(seconds / MINUTE);

export async function examineMail(database: Database): Promise<CheckResult> {
  return checkMail((await database.system().row<WaitingMails>(MAILS))!);
}

export function checkMail({ arriving, leaving, held }: WaitingMails): CheckResult {
  if (arriving > LATE_IN.amber)
    return (arriving > LATE_IN.red ? red : amber)(
      `a mail that came in has waited for ${minutes(arriving)} minutes to be understood: see whether workers run and reach the file store`,
    );
  if (leaving > LATE_OUT.amber)
    return (leaving > LATE_OUT.red ? red : amber)(
      `a mail has waited for ${minutes(leaving)} minutes to be taken by a mail server: mail show, or Settings, Outgoing mail, say why`,
    );
  return green(`what came in is understood, what goes out is taken; ${held} held for people to look at`);
}
