import { Transactions, accountStatement } from '#libs/database';
import { type AgentRole, Forbidden, InvalidField, UNDO_SECONDS, manages } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';

const READ = accountStatement('undo_sending_read', 'select undo_send_seconds as seconds from accounts where id = $1');

const SET = accountStatement(
  'undo_sending_set',
  'update accounts set undo_send_seconds = $2 where id = $1 and undo_send_seconds <> $2 returning 1',
);

interface Manager {
  readonly accountId: string;
  readonly agentId: string;
  readonly role: AgentRole;
  readonly applicationId: string | null;
  readonly requestId: string | null;
}

/** How long the replies of an account wait in the console, so that their authors can take them back. */
@Injectable()
export class UndoSendingService {
  constructor(private readonly transactions: Transactions) {}

  async read(accountId: string): Promise<number> {
    const account = this.transactions.account({ accountId });
    return (await account.row<{ seconds: number }>(READ))?.seconds ?? 0;
  }

  /** From the next reply on. */
  set(by: Manager, wanted: string): Promise<void> {
    if (!manages(by.role)) throw new Forbidden('role_not_allowed', 'Only owners and admins may do this.');
    const seconds = UNDO_SECONDS.find((known) => String(known) === wanted);
    if (seconds === undefined) throw new InvalidField('seconds', 'unknown_seconds', 'Choose one of the list.');
    return this.transactions.run(by, async (tx, now) => {
      if (!(await tx.row(SET, [seconds]))) return;
      const activity = { kind: 'undo_sending_changed', ticketId: null, subject: `${seconds} s`, detail: { seconds } };
      await insertActivity(tx, by, activity, now);
    });
  }
}
