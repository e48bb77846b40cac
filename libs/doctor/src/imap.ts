import { type Database, systemStatement } from '#libs/database';
import { type CheckResult, green, red } from './finding.js';

/** A server is heard of once a minute at least. */
const SILENT_SECONDS = 600;

const MAILBOXES = systemStatement(
  'doctor_imap',
  'The operator watches the installation, not an account',
  `select count(*)::int as total, coalesce(count(*) filter (where silent > ${SILENT_SECONDS}), 0)::int as silent,
     coalesce(max(silent), 0)::float8 as longest
   from (select extract(epoch from clock_timestamp() - coalesce(heard_at, created_at)) as silent
     from imap_accounts where not paused) mailboxes`,
);

interface HeardMailboxes {
  readonly total: number;
  readonly silent: number;
  /** In seconds. */
  readonly longest: number;
}

export async function examineImap(database: Database): Promise<CheckResult> {
  return checkImap((await database.system().row<HeardMailboxes>(MAILBOXES))!);
}

export function checkImap({ total, silent, longest }: HeardMailboxes): CheckResult {
  if (total === 0) return green('no mailbox gets its mail by IMAP');
  if (silent === 0) return green(`all ${total} mailboxes with IMAP are heard of`);
  const minutes = Math.round(longest / 60);
  return red(
    `${silent} of ${total} mailboxes with IMAP have not been heard of for ten minutes, one for ${minutes}: their pages under Settings, Mailboxes say why`,
  );
}
