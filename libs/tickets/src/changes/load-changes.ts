import type { AccountConnection } from '#libs/database';
import { Agent, COPIED_KINDS, type CopiedKind, Group, Mailbox, Ticket } from '#libs/entities';
import type { Change, CopiedRecord } from '#libs/payloads';
import { loadAttachments } from '../attachments/attachment.statements.js';
import { loadCustomers } from '../customers/customer.statements.js';
import { loadMessages } from '../messages/message.statements.js';
import { loadTickets } from '../ticket.statements.js';

export interface RecordReference {
  readonly kind: CopiedKind;
  readonly id: string;
  /** The id in the API of a deleted record. */
  readonly goneAs?: string | undefined;
}

type Load = (account: AccountConnection, ids: readonly string[]) => Promise<readonly CopiedRecord[]>;

const LOADS: Readonly<Record<CopiedKind, Load>> = {
  agent: (account, ids) => account.repository(Agent).findByIds(ids),
  group: (account, ids) => account.repository(Group).findByIds(ids),
  mailbox: (account, ids) => account.repository(Mailbox).findByIds(ids),
  customer: loadCustomers,
  ticket: loadTickets,
  message: loadMessages,
  attachment: loadAttachments,
};

/** Loads the current records in the given order. A record deleted since it was found is reported later. */
export async function loadChanges(
  account: AccountConnection,
  references: readonly RecordReference[],
): Promise<Change[]> {
  const records = new Map<string, CopiedRecord>();
  // One by one, so that a page does not take every connection.
  for (const kind of COPIED_KINDS) {
    const ids = references.filter((one) => one.kind === kind && one.goneAs === undefined).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const record of await LOADS[kind](account, [...new Set(ids)])) records.set(`${kind} ${record.id}`, record);
  }
  return references.flatMap(({ kind, id, goneAs }): Change[] => {
    if (goneAs !== undefined) return [{ kind, id: goneAs, isDeleted: true, record: null }];
    const record = records.get(`${kind} ${id}`);
    return record ? [changeOf(kind, record)] : [];
  });
}

const changeOf = (kind: CopiedKind, record: CopiedRecord): Change => ({
  kind,
  id: record instanceof Ticket ? String(record.number) : record.id,
  isDeleted: record instanceof Ticket && record.deletedAt !== null,
  record,
});
