import { type AccountConnection, Database, NIL_UUID, isUuid } from '#libs/database';
import { Agent, COPIED_KINDS, type CopiedKind, Group, InvalidField, Mailbox, Ticket } from '#libs/entities';
import { type FeedPage, cursorOfAnotherHistory, fittingRecords } from '#libs/lists';
import type { Change, CopiedRecord } from '#libs/payloads';
import { SealedPositions } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { loadAttachments } from '../attachments/attachment.statements.js';
import { loadCustomers } from '../customers/customer.statements.js';
import { loadMessages } from '../messages/message.statements.js';
import { loadTickets } from '../ticket.statements.js';
import {
  type ChangePosition,
  type ChangeSource,
  DEPENDENTS,
  type DependentsName,
  type FoundChange,
  findChanges,
  findDependents,
  markForeign,
  markKindOf,
  markKindsOf,
} from './change.statements.js';

export interface ChangesQuery {
  readonly cursor?: string | undefined;
  readonly perPage: number;
  readonly kinds?: readonly CopiedKind[] | undefined;
}

/** A record to report, and where a cursor stands after it. */
interface FoundRecord {
  readonly reference: RecordReference;
  readonly position: ChangePosition;
  readonly bytes: number;
}

interface FoundRecords {
  readonly records: readonly FoundRecord[];
  /** Where a cursor stands after all of them. */
  readonly end: ChangePosition;
  readonly hasMore: boolean;
}

const BEGINNING: ChangePosition = { transaction: '-1', source: COPIED_KINDS[0], id: NIL_UUID };

const COPY_ANEW = 'Copy everything again, from the beginning.';

/** Lists all records in their current state, oldest change first, so that a client can keep a copy of an account. */
@Injectable()
export class ChangesService {
  private readonly sealed: SealedPositions;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS_TOKEN) { SECRETS_KEY }: Settings,
  ) {
    this.sealed = new SealedPositions(SECRETS_KEY, 'deskwire change cursors');
  }

  /** Round trips: 1, 1 for records that depend on another, and 1 for each kind of record. */
  async page(accountId: string, { cursor, perPage, kinds = COPIED_KINDS }: ChangesQuery): Promise<FeedPage<Change>> {
    const account = this.database.account(accountId);
    const opened = cursor === undefined ? undefined : parseCursor(this.sealed.open(accountId, cursor));
    if (opened && !kinds.every((kind) => opened.kinds.includes(kind)))
      throw invalidCursor('cursor comes from a request for fewer types; to add one, start without a cursor');
    const from = opened ? wantedPart(opened.position, kinds) : BEGINNING;
    const scan = { kinds, limit: perPage + 1 };
    const { found, history, isAhead, hasForeign, latest } = await findChanges(account, from, scan);
    if (opened && (isAhead || opened.history !== history)) throw cursorOfAnotherHistory(COPY_ANEW);
    if (hasForeign) await markForeign(account);
    const { records, ...rest } = await recordsFrom(account, from, found, perPage);
    const fitting = records.slice(0, Math.min(fittingRecords(records.map(({ bytes }) => bytes)), perPage));
    const hasAll = fitting.length === records.length;
    const end = hasAll ? rest.end : fitting.at(-1)!.position;
    const references = fitting.map(({ reference }) => reference);
    return {
      items: await loadChanges(account, references),
      perPage,
      cursor: this.sealed.seal(accountId, formatCursor(history, end, kinds)),
      hasMore: !hasAll || rest.hasMore || hasForeign === true,
      latest,
    };
  }
}

/** A cursor includes the history of its database, because transaction numbers restart after a restore. */
function formatCursor(history: string, position: ChangePosition, kinds: readonly CopiedKind[]): Buffer {
  const { transaction, source, id, dependentKeys = null } = position;
  const types = kinds.length < COPIED_KINDS.length ? [kinds] : [];
  return Buffer.from(JSON.stringify([history, transaction, source, id, dependentKeys, ...types]));
}

const invalidCursor = (words: string) => new InvalidField('cursor', 'invalid_cursor', words);

function parseCursor(text: Buffer | null | undefined) {
  const [history, transaction, source, id, keys, kinds = COPIED_KINDS] = text
    ? (JSON.parse(text.toString()) as unknown[])
    : [];
  if (!isSource(source) || !isUuid(String(id))) throw invalidCursor('cursor does not come from this feed');
  const dependentKeys = (keys as string[] | null) ?? undefined;
  const position: ChangePosition = { transaction: String(transaction), source, id: String(id), dependentKeys };
  return { history: String(history), position, kinds: kinds as readonly CopiedKind[] };
}

const SOURCES = new Set<string>([...COPIED_KINDS, ...markKindsOf(COPIED_KINDS).map((kind) => `mark ${kind}`)]);

const isSource = (text: unknown): text is ChangeSource => SOURCES.has(String(text));

/** The cursor may come from a request for other kinds, and stand among records of those. */
const wantedPart = (position: ChangePosition, kinds: readonly CopiedKind[]): ChangePosition =>
  markKindsOf(kinds).some((kind) => kind === markKindOf(position.source))
    ? position
    : { ...position, dependentKeys: undefined };

/** Returns the changed records up to the first mark with dependents or, if that mark is first, a page of its dependents. */
async function recordsFrom(
  account: AccountConnection,
  from: ChangePosition,
  found: readonly FoundChange[],
  perPage: number,
): Promise<FoundRecords> {
  if (from.dependentKeys) return dependentsFrom(account, from, perPage);
  const records = found.map(recordOf);
  const firstWithDependents = records.indexOf(null);
  if (firstWithDependents === 0) return dependentsFrom(account, positionOf(found[0]!), perPage);
  const reported = records.slice(0, firstWithDependents < 0 ? records.length : firstWithDependents) as FoundRecord[];
  return { records: reported, end: reported.at(-1)?.position ?? from, hasMore: firstWithDependents > 0 };
}

async function dependentsFrom(
  account: AccountConnection,
  mark: ChangePosition,
  perPage: number,
): Promise<FoundRecords> {
  const name = markKindOf(mark.source) as DependentsName;
  const dependents = await findDependents(account, name, mark, perPage + 1);
  const records = dependents.map(({ id, keys, bytes }) => ({
    reference: { kind: DEPENDENTS[name].kind, id },
    position: { ...mark, dependentKeys: keys },
    bytes,
  }));
  return { records, end: { ...mark, dependentKeys: undefined }, hasMore: true };
}

const positionOf = ({ transaction, source, id }: FoundChange): ChangePosition => ({ transaction, source, id });

/** Null for a mark on which other records depend. */
function recordOf(change: FoundChange): FoundRecord | null {
  const markKind = markKindOf(change.source);
  if (markKind !== null && markKind in DEPENDENTS) return null;
  const kind = (markKind ?? change.source) as CopiedKind;
  const deletedId = markKind === null ? undefined : change.publicId!;
  return { reference: { kind, id: change.id, deletedId }, position: positionOf(change), bytes: change.bytes };
}

interface RecordReference {
  readonly kind: CopiedKind;
  readonly id: string;
  /** The id in the API of a deleted record. */
  readonly deletedId?: string | undefined;
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

/** Skips records that were deleted since they were found; their deletion follows later. */
async function loadChanges(account: AccountConnection, references: readonly RecordReference[]): Promise<Change[]> {
  const records = new Map<string, CopiedRecord>();
  // One by one, so that a page does not take every connection.
  for (const kind of COPIED_KINDS) {
    const ids = references.filter((one) => one.kind === kind && one.deletedId === undefined).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const record of await LOADS[kind](account, [...new Set(ids)])) records.set(`${kind} ${record.id}`, record);
  }
  return references.flatMap(({ kind, id, deletedId }): Change[] => {
    if (deletedId !== undefined) return [{ kind, id: deletedId, isDeleted: true, record: null }];
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
