import { Database, accountStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';

const SUBJECTS = accountStatement(
  'console_delivery_subjects',
  `select id, kind, subject, false as "isTest" from activities where account_id = $1 and id = any($2::uuid[])
   union all
   select id, kind, '', true from events where account_id = $1 and id = any($2::uuid[]) and test`,
);

/** What a delivery is about: a ticket as `#7`, or another record by its name. A test is about nothing that exists. */
export interface DeliverySubject {
  readonly kind: string;
  readonly subject: string;
  readonly isTest: boolean;
}

/** By the ids of events. What happened longer ago than activities are kept has none. */
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
