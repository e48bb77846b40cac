import type { Readable } from 'node:stream';
import { Clock, Database, accountStatement, systemStatement, uuidAt } from '#libs/database';
import { StorageFull, Unavailable } from '#libs/entities';
import { type ByteRange, type FileKey, FileStore, ReserveReached, type SaveOptions } from '#libs/storage';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { SizeLimitedContent } from './size-limited-content.js';

/** Longer than any upload can take. */
const UPLOADING_MS = 24 * 60 * 60 * 1000;
const RETRY_MS = 60 * 60 * 1000;
const BATCH = 100;

const BEGIN = accountStatement(
  'stray_file_begin',
  'insert into stray_files (account_id, id, due_at) values ($1, $2, $3)',
);
/** Waits for a transaction that uses the files, and returns nothing if it committed. */
const TAKE_STRAY = accountStatement(
  'stray_file_take',
  'update stray_files set due_at = $3 where account_id = $1 and id = any($2) returning id',
);
const FORGET = accountStatement('stray_file_forget', 'delete from stray_files where account_id = $1 and id = any($2)');
/** Postponed, so that two workers do not remove the same file and a failure is retried. */
const TAKE_DUE = systemStatement(
  'stray_file_take_due',
  'Upkeep removes the files of every account that no attachment names',
  `update stray_files set due_at = $2 where id = any(array(
     select id from stray_files where due_at <= $1 order by due_at limit $3 for update skip locked
   )) returning id, account_id as "accountId"`,
);

/** Stores files. Each has a row before its first byte, so a crash leaves no file that cleanup cannot find. */
@Injectable()
export class FilesService implements OnApplicationBootstrap {
  private wasFull = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly store: FileStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Does not block the start: everything but files works without storage. */
  onApplicationBootstrap(): void {
    this.store.check().catch((error: unknown) => {
      this.logger.error({ reason: reasonOf(error) }, 'files cannot be kept: is STORAGE_URL right?');
    });
  }

  /** Stores a stray file and returns its id. It is stray until a transaction makes it an attachment. */
  async save(accountId: string, content: SizeLimitedContent, options: SaveOptions = {}): Promise<string> {
    if (!options.mayUseReserve) await this.refuseWithoutRoom();
    const id = uuidAt(this.clock.now());
    await this.database.account(accountId).rows(BEGIN, [id, this.clock.in(UPLOADING_MS)]);
    try {
      await this.store.save({ accountId, id }, content, options);
      return id;
    } catch (error) {
      await this.discard(accountId, [id]).catch(() => undefined);
      throw content.fault ?? unavailable(error);
    }
  }

  /** Called before the bytes of a file arrive. If the disk state is unknown, saving reports the problem. */
  async refuseWithoutRoom(): Promise<void> {
    const state = await this.store.disk?.state().catch(() => undefined);
    const isFull = state === 'full' || state === 'files_refused';
    if (isFull !== this.wasFull) this.logRoom(isFull);
    if (isFull) throw new StorageFull();
  }

  private logRoom(isFull: boolean): void {
    this.wasFull = isFull;
    if (isFull) this.logger.error('files are refused: the disk has no more room than is reserved for the database');
    else this.logger.info('files are stored again: the disk has room');
  }

  open(key: FileKey, range?: ByteRange): Promise<Readable | null> {
    return this.store.open(key, range).catch((error: unknown) => {
      throw unavailable(error);
    });
  }

  /** Removes only stray files, because the answer to a commit can be lost. Cleanup retries failures. */
  async discard(accountId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const account = this.database.account(accountId);
    const stray = await account.rows<{ id: string }>(TAKE_STRAY, [ids, this.clock.in(RETRY_MS)]);
    const outcomes = await Promise.allSettled(stray.map(({ id }) => this.store.remove({ accountId, id })));
    const removed = stray.filter((_, place) => outcomes[place]?.status === 'fulfilled').map(({ id }) => id);
    if (removed.length > 0) await account.rows(FORGET, [removed]);
  }

  /** Removes a batch of stray files of any account. Returns how many were due. */
  async removeStray(): Promise<number> {
    const values = [this.clock.now(), this.clock.in(RETRY_MS), BATCH];
    const due = await this.database.system().rows<FileKey>(TAKE_DUE, values);
    const ofAccount = (wanted: string) => due.filter(({ accountId }) => accountId === wanted).map(({ id }) => id);
    for (const accountId of new Set(due.map((file) => file.accountId)))
      await this.discard(accountId, ofAccount(accountId));
    return due.length;
  }
}

/** A file system's codes for no space, for this user or at all. */
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
