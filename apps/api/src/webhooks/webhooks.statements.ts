import { type AccountDatabase, accountStatement } from '#libs/database';

/** The record of a delivery: a ticket as `#7`, another record by its name. A test event has none. */
export interface DeliverySubject {
  readonly kind: string;
  readonly subject: string;
  readonly isTest: boolean;
}

/** Keyed by event id. An event older than the retention of activities has no subject. */
export type DeliverySubjects = ReadonlyMap<string, DeliverySubject>;

const FIND_SUBJECTS = accountStatement(
  'console_delivery_subjects',
  `select id, kind, subject, false as "isTest" from activities where account_id = $1 and id = any($2::uuid[])
   union all
   select id, kind, '', true from events where account_id = $1 and id = any($2::uuid[]) and test`,
);

export async function findSubjects(account: AccountDatabase, eventIds: readonly string[]): Promise<DeliverySubjects> {
  const rows = await account.rows<DeliverySubject & { id: string }>(FIND_SUBJECTS, [eventIds]);
  return new Map(rows.map((row) => [row.id, row]));
}
