import { Database, accountStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';

const SUBJECTS = accountStatement(
  'console_delivery_subjects',
  'select id, kind, subject from activities where account_id = $1 and id = any($2::uuid[])',
);

/** What a delivery is about: a ticket as `#7`, or another record by its name. */
export interface DeliverySubject {
  readonly kind: string;
  readonly subject: string;
}

/** By the ids of events. A test has none, and neither has what happened longer ago than activities are kept. */
export type DeliverySubjects = ReadonlyMap<string, DeliverySubject>;

@Injectable()
export class DeliverySubjectsReader {
  constructor(private readonly database: Database) {}

  async read(accountId: string, eventIds: readonly string[]): Promise<DeliverySubjects> {
    const account = this.database.account(accountId);
    const rows = await account.rows<DeliverySubject & { id: string }>(SUBJECTS, [eventIds]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
