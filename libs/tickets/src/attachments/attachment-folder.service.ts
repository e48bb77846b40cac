import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { Database, isUuid } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { reportFolder } from './attachment-folder.statements.js';

const MARK = '.deskwire-folder';

const REPORT_INTERVAL_MS = 20 * 60_000;

/** Reports the folder of this host to the others, and logs an error if they use different folders. */
@Injectable()
export class AttachmentFolderService implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The database may be down or not migrated yet. */
  onApplicationBootstrap(): void {
    const { STORAGE_URL } = this.settings;
    if (STORAGE_URL.kind !== 'folder') return;
    const report = (): void => void this.report(STORAGE_URL.path).catch(() => undefined);
    report();
    this.timer = setInterval(report, REPORT_INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async report(folder: string): Promise<void> {
    const others = await reportFolder(this.database.system(), await markOf(folder), hostname());
    if (others.length === 0) return;
    this.logger.error(
      `attachments are in a folder of this host, and others are in a folder of ${others.join(', ')}: each finds only its own. Set STORAGE_URL to a bucket, or to a folder that all of them mount`,
    );
  }
}

/** Only one of two concurrent processes creates the mark. */
async function markOf(folder: string): Promise<string> {
  const file = path.join(folder, MARK);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(file, randomUUID(), { flag: 'wx', mode: 0o600 }).catch(() => undefined);
  const mark = (await readFile(file, 'utf8')).trim();
  if (!isUuid(mark)) throw new Error(`${file} holds no mark`);
  return mark;
}
