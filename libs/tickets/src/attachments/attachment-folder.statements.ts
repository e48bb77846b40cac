import { type SystemConnection, systemStatement } from '#libs/database';

const REPORT_FOLDER = systemStatement(
  'attachment_folder_report',
  'Attachments of all accounts are in one folder',
  `with told as (
     insert into attachment_folders (id, host, seen_at) values ($1, $2, clock_timestamp())
     on conflict (id) do update set host = excluded.host, seen_at = excluded.seen_at
   )
   select host from attachment_folders where id <> $1 and seen_at > clock_timestamp() - interval '1 hour' order by host`,
);

/** `id` is that of the folder. Returns the hosts that use another one. */
export async function reportFolder(db: SystemConnection, id: string, host: string): Promise<string[]> {
  return (await db.rows<{ host: string }>(REPORT_FOLDER, [id, host])).map((other) => other.host);
}
