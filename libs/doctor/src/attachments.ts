import { type Database, systemStatement } from '#libs/database';
import type { Settings } from '#libs/settings';
import { type CheckResult, green, red } from './finding.js';

const FOLDERS = systemStatement(
  'doctor_attachment_folders',
  'Attachments of all accounts are in one folder',
  `select host from attachment_folders where seen_at > clock_timestamp() - interval '1 hour' order by host`,
);

/** Where processes said lately that they keep attachments. Each folder is there once, with one of its hosts. */
export async function examineAttachments(database: Database, { STORAGE_URL }: Settings): Promise<CheckResult> {
  if (STORAGE_URL.kind === 'bucket') return green('in a bucket');
  const rows = await database.system().rows<{ host: string }>(FOLDERS);
  if (rows.length < 2) return green('in one folder');
  const hosts = rows.map(({ host }) => host).join(', ');
  return red(
    `in ${rows.length} folders (of ${hosts}), and each host finds only its own: set STORAGE_URL to a bucket, or to a folder that all of them mount`,
  );
}
