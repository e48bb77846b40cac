import { type AccountDatabase, type AccountTx, Clock, Database } from '#libs/database';
import { Conflict, type DomainError } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from './request-context.js';

/** PostgreSQL ended one of two transactions that waited for each other. Nothing was changed, so it may run again. */
const DEADLOCK = '40P01';
const MOST_RUNS = 3;

/** What a unique index says no to when two requests race past the check before it. */
const TAKEN: Readonly<Record<string, () => DomainError>> = {
  agents_account_id_email_idx: () => new Conflict('agent_exists', 'There already is an agent with this e-mail.'),
  customers_account_id_email_idx: () =>
    new Conflict('customer_exists', 'There already is a customer with this e-mail.'),
  groups_account_id_name_idx: () => new Conflict('group_exists', 'There already is a group with this name.'),
  mailboxes_account_id_name_idx: () => new Conflict('mailbox_exists', 'There already is a mailbox with this name.'),
  mailboxes_account_id_email_idx: () => new Conflict('mailbox_exists', 'There already is a mailbox with this e-mail.'),
};

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

@Injectable()
export class Transactions {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** For reading what needs no transaction. */
  account(context: RequestContext): AccountDatabase {
    return this.database.account(context.accountId);
  }

  /** One action of one account: all of it or none. */
  async run<T>(context: RequestContext, work: (tx: AccountTx, now: Date) => Promise<T>): Promise<T> {
    for (let run = 1; ; run++) {
      try {
        return await this.attempt(context, work);
      } catch (error) {
        if ((error as { code?: string }).code !== DEADLOCK || run === MOST_RUNS) throw refusalOf(error);
      }
    }
  }

  private attempt<T>(context: RequestContext, work: (tx: AccountTx, now: Date) => Promise<T>): Promise<T> {
    return this.account(context).transaction((tx) => work(tx, this.clock.now()));
  }
}

function refusalOf(error: unknown): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === UNIQUE_VIOLATION) return TAKEN[constraint ?? '']?.() ?? error;
  if (code === FOREIGN_KEY_VIOLATION)
    return new Conflict('changed_meanwhile', 'Something this refers to was removed at the same moment. Read it again.');
  return error;
}
