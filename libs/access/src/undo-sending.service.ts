import { Transactions, accountStatement } from '#libs/database';
import { InvalidField, UNDO_SECONDS } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { type AccountManager, requireManager } from './account-manager.js';

const SET = accountStatement(
  'undo_sending_set',
  'update accounts set undo_send_seconds = $2 where id = $1 and undo_send_seconds <> $2 returning 1',
);

/** How long the replies of an account wait in the console, so that their authors can take them back. */
@Injectable()
export class UndoSendingService {
  constructor(private readonly transactions: Transactions) {}

  /** From the next reply on. */
  set(by: AccountManager, wanted: string): Promise<void> {
    requireManager(by);
    const seconds = UNDO_SECONDS.find((known) => String(known) === wanted);
    if (seconds === undefined) throw new InvalidField('seconds', 'unknown_seconds', 'Choose one of the list.');
    return this.transactions.run(by, async (tx, now) => {
      if (!(await tx.row(SET, [seconds]))) return;
      const activity = { kind: 'undo_sending_changed', ticketId: null, subject: `${seconds} s`, detail: { seconds } };
      await insertActivity(tx, by, activity, now);
    });
  }
}
