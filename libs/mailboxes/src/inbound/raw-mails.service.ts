import { Database } from '#libs/database';
import { FilesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { type InboundMail, discardOldHeld, discardRaw } from './arrival.statements.js';

const BATCH = 500;

@Injectable()
export class RawMailsService {
  constructor(
    private readonly database: Database,
    private readonly files: FilesService,
  ) {}

  /** Removes the bytes of an email whose outcome is recorded. Upkeep removes them if this fails. */
  async discard({ accountId, id }: InboundMail): Promise<void> {
    await this.files.discard(accountId, [id]).catch(() => undefined);
  }

  /** Called by upkeep until it returns 0. The rows stay, so that replies and repeats are recognized. */
  giveUp(before: Date, now: Date): Promise<number> {
    return discardRaw(this.database.system(), { before, now, limit: BATCH });
  }

  /** Called by upkeep until it returns 0. */
  discardQuarantined(before: Date, now: Date): Promise<number> {
    return discardOldHeld(this.database.system(), { before, now, limit: BATCH });
  }
}
