import type { Readable } from 'node:stream';
import { Clock, Database, later, uuidAt } from '#libs/database';
import { StorageFull, Unavailable } from '#libs/entities';
import {
  type ByteRange,
  type FileKey,
  FileStore,
  ReserveReached,
  type SaveOptions,
  type SizeLimitedContent,
} from '#libs/storage';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DELETE_STRAY, INSERT_STRAY, takeDueStray, takeStray } from './stray-file.statements.js';

const UPLOADING_MS = 24 * 60 * 60 * 1000;
const RETRY_MS = 60 * 60 * 1000;
const BATCH = 100;

/** Each file has a row before its first byte, so a crash leaves no file that cleanup cannot find. */
@Injectable()
export class FilesService implements OnApplicationBootstrap {
  private wasFull = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly store: FileStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Everything but files works without storage. */
  onApplicationBootstrap(): void {
    this.store.check().catch((error: unknown) => {
      this.logger.error({ reason: reasonOf(error) }, 'files cannot be stored: check STORAGE_URL');
    });
  }

  /** The file is stray until a transaction makes it an attachment. Returns its id. */
  async save(accountId: string, content: SizeLimitedContent, options: SaveOptions = {}): Promise<string> {
    if (!options.mayUseReserve) await this.refuseWithoutRoom();
    const id = uuidAt(this.clock.now());
    await this.database.account(accountId).rows(INSERT_STRAY, [id, this.clock.in(UPLOADING_MS)]);
    try {
      await this.store.save({ accountId, id }, content, options);
      return id;
    } catch (error) {
      await this.discard(accountId, [id]).catch(() => undefined);
      throw content.fault ?? unavailable(error);
    }
  }

  /** If the disk state is unknown, saving reports the problem. */
  async refuseWithoutRoom(): Promise<void> {
    const state = await this.store.disk?.state().catch(() => undefined);
    const isFull = state === 'full' || state === 'files_refused';
    if (isFull && !this.wasFull)
      this.logger.error('files are refused: the remaining disk space is reserved for the database');
    if (this.wasFull && !isFull) this.logger.info('files are stored again: the disk has space');
    this.wasFull = isFull;
    if (isFull) throw new StorageFull();
  }

  open(key: FileKey, range?: ByteRange): Promise<Readable | null> {
    return this.store.open(key, range).catch((error: unknown) => {
      throw unavailable(error);
    });
  }

  /** Removes only stray files, because the response to a commit can be lost. Cleanup retries failures. */
  async discard(accountId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const account = this.database.account(accountId);
    const stray = await takeStray(account, ids, this.clock.in(RETRY_MS));
    const outcomes = await Promise.allSettled(stray.map((id) => this.store.remove({ accountId, id })));
    const removed = stray.filter((_, place) => outcomes[place]?.status === 'fulfilled');
    if (removed.length > 0) await account.rows(DELETE_STRAY, [removed]);
  }

  async removeStray(): Promise<number> {
    const now = this.clock.now();
    const due = await takeDueStray(this.database.system(), { now, retryAt: later(now, RETRY_MS), limit: BATCH });
    const ofAccount = (wanted: string) => due.filter(({ accountId }) => accountId === wanted).map(({ id }) => id);
    for (const accountId of new Set(due.map((file) => file.accountId)))
      await this.discard(accountId, ofAccount(accountId));
    return due.length;
  }
}

const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

function unavailable(error: unknown): StorageFull | Unavailable {
  if (error instanceof ReserveReached || NO_ROOM.has((error as { code?: unknown }).code)) return new StorageFull();
  const sentence = 'Files cannot be stored or read just now. Nothing was changed; try again.';
  return new Unavailable('storage_unavailable', sentence, new Error(reasonOf(error)));
}

/** Keeps only the message: such an error can carry the signed request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  const words =
    typeof code === 'string' && !error.message.includes(code) ? `${error.message} (${code})` : error.message;
  return error.cause === undefined ? words : `${words}: ${reasonOf(error.cause)}`;
}
