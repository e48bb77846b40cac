import { systemStatement } from '#libs/database';

const WHY = 'The operator watches the installation, not an account';

/** Each folder of attachments that is in use, with one of its hosts. */
export const ATTACHMENT_FOLDERS = systemStatement(
  'doctor_attachment_folders',
  'Attachments of all accounts are in one folder',
  `select host from attachment_folders where seen_at > clock_timestamp() - interval '1 hour' order by host`,
);

/** An IMAP server answers at least once a minute. */
const SILENT_SECONDS = 600;

export const IMAP_MAILBOXES = systemStatement(
  'doctor_imap',
  WHY,
  `select count(*)::int as total, coalesce(count(*) filter (where silent > ${SILENT_SECONDS}), 0)::int as silent,
     coalesce(max(silent), 0)::float8 as longest
   from (select extract(epoch from clock_timestamp() - coalesce(heard_at, created_at)) as silent
     from imap_accounts where not paused) mailboxes`,
);

export interface ImapMailboxes {
  readonly total: number;
  readonly silent: number;
  /** In seconds. */
  readonly longest: number;
}

export const WAITING_MAILS = systemStatement(
  'doctor_mail',
  WHY,
  `select
     (select coalesce(max(extract(epoch from clock_timestamp() - created_at)), 0)::float8 from arrivals
      where state = 'waiting') as arriving,
     (select count(*)::int from arrivals where state = 'held') as held,
     (select coalesce(max(extract(epoch from clock_timestamp() - queued_at)), 0)::float8 from outgoing_mails
      where state = 'queued' and handed_over_at is null) as leaving`,
);

export interface WaitingMails {
  /** Age of the oldest mail that was not processed, in seconds. */
  readonly arriving: number;
  /** Age of the oldest mail that was not sent, in seconds. */
  readonly leaving: number;
  readonly held: number;
}
