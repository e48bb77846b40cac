import { type SystemConnection, systemStatement } from '#libs/database';

const WHY = 'The operator watches the installation, not an account';

/** Each folder of attachments that is in use, with one of its hosts. */
export const ATTACHMENT_FOLDERS = systemStatement(
  'doctor_attachment_folders',
  'Attachments of all accounts are in one folder',
  `select host from attachment_folders where seen_at > clock_timestamp() - interval '1 hour' order by host`,
);

/** An IMAP server responds at least once a minute. */
const SILENT_SECONDS = 600;

const READ_IMAP = systemStatement(
  'metrics_imap',
  WHY,
  `select count(*) filter (where paused)::int as paused,
     count(*) filter (where not paused and failing_since is not null)::int as failing,
     count(*) filter (where not paused and failing_since is null and connected_at is not null)::int as connected,
     count(*) filter (where not paused and failing_since is null and connected_at is null)::int as waiting,
     count(*) filter (where not paused and silence > ${SILENT_SECONDS})::int as silent,
     coalesce(max(silence) filter (where not paused), 0)::float8 as longest
   from (select *, extract(epoch from clock_timestamp() - coalesce(last_response_at, created_at)) as silence from imap_accounts)
     mailboxes`,
);

/** Counts; `longest` is the longest silence in seconds. */
export type ImapState = Readonly<Record<'paused' | 'failing' | 'connected' | 'waiting' | 'silent' | 'longest', number>>;

export const readImapState = async (db: SystemConnection): Promise<ImapState> => (await db.row<ImapState>(READ_IMAP))!;

/** Bounds the cost of a scrape. */
const MAX_MAILS = 50_000;

const READ_MAIL = systemStatement(
  'metrics_mail',
  WHY,
  `select arriving.oldest as arriving, leaving.*, quarantined.quarantined
   from (
     select coalesce(max(extract(epoch from clock_timestamp() - created_at)), 0)::float8 as oldest
     from (select created_at from arrivals where state = 'waiting' limit ${MAX_MAILS}) waiting
   ) arriving, (
     select count(*) filter (where handed_over_at is null)::int as queued,
       coalesce(max(extract(epoch from clock_timestamp() - queued_at)) filter (where handed_over_at is null), 0)::float8 as leaving,
       count(*) filter (where lease is null and tries = 0)::int as waiting,
       count(*) filter (where lease is null and tries > 0)::int as retrying,
       count(*) filter (where lease is not null)::int as sending
     from (select * from outgoing_mails where state = 'queued' limit ${MAX_MAILS}) queued
   ) leaving, (
     select count(*)::int as quarantined from (select from arrivals where state = 'quarantined' limit ${MAX_MAILS}) mails
   ) quarantined`,
);

export type MailState = Readonly<
  Record<'arriving' | 'quarantined' | 'queued' | 'leaving' | 'waiting' | 'retrying' | 'sending', number>
>;

export const readMailState = async (db: SystemConnection): Promise<MailState> => (await db.row<MailState>(READ_MAIL))!;

const CLOCKS = systemStatement(
  'doctor_clocks',
  WHY,
  `select * from (
     select 'worker' as kind, host, pid, skew_ms as "skewMs", seen_at from worker_heartbeats
     union all select 'API', host, pid, skew_ms, seen_at from api_clocks)
   where seen_at > clock_timestamp() - interval '15 seconds' order by host, pid`,
);

export interface ProcessClock {
  readonly kind: 'worker' | 'API';
  readonly host: string;
  readonly pid: number;
  readonly skewMs: number | null;
}

export const readClocks = (db: SystemConnection): Promise<ProcessClock[]> => db.rows<ProcessClock>(CLOCKS);
