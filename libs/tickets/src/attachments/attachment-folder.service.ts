import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { Database, isUuid, systemStatement } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

/** The same file for all hosts that share the folder. */
const MARK = '.deskwire-folder';

/** A host that was not seen for an hour is ignored. */
const TELL_EVERY_MS = 20 * 60_000;

const TELL = systemStatement(
  'attachment_folder_tell',
  'Attachments of all accounts are in one folder',
  `with told as (
     insert into attachment_folders (id, host, seen_at) values ($1, $2, clock_timestamp())
     on conflict (id) do update set host = excluded.host, seen_at = excluded.seen_at
   )
   select host from attachment_folders where id <> $1 and seen_at > clock_timestamp() - interval '1 hour' order by host`,
);

/** Reports the folder of this host to the others, and logs an error if they use different folders. */
@Injectable()
export class AttachmentFolderService implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Failures are ignored: the database may be down or not migrated yet. */
  onApplicationBootstrap(): void {
    const { STORAGE_URL } = this.settings;
    if (STORAGE_URL.kind !== 'folder') return;
    const tell = (): void => void this.tell(STORAGE_URL.path).catch(() => undefined);
    tell();
    this.timer = setInterval(tell, TELL_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async tell(folder: string): Promise<void> {
    const rows = await this.database.system().rows<{ host: string }>(TELL, [await markOf(folder), hostname()]);
    if (rows.length === 0) return;
    const hosts = rows.map(({ host }) => host).join(', ');
    this.logger.error(
      `attachments are in a folder of this host, and others are in a folder of ${hosts}: each finds only its own. Set STORAGE_URL to a bucket, or to a folder that all of them mount`,
    );
  }
}

/** If two processes create the mark at once, one wins. */
async function markOf(folder: string): Promise<string> {
  const file = path.join(folder, MARK);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(file, randomUUID(), { flag: 'wx', mode: 0o600 }).catch(() => undefined);
  const mark = (await readFile(file, 'utf8')).trim();
  if (!isUuid(mark)) throw new Error(`${file} holds no mark`);
  return mark;
}
