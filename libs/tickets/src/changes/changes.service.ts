import { type AccountConnection, Database, NIL_UUID, isUuid } from '#libs/database';
import { Agent, COPIED_KINDS, type CopiedKind, Group, InvalidField, Mailbox, Ticket } from '#libs/entities';
import { cursorOfAnotherHistory, fittingRecords } from '#libs/lists';
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
  type FoundChange,
  type Place,
  WALKS,
  type Walk,
  markForeign,
  markOf,
  scan,
  walk,
} from './change.statements.js';

export interface ChangesQuery {
  readonly cursor?: string | undefined;
  readonly perPage: number;
}

export interface ChangesPage {
  readonly changes: readonly Change[];
  readonly cursor: string;
  readonly hasMore: boolean;
  readonly latest: string;
}

interface Step {
  readonly reference: RecordReference;
  readonly position: ChangePosition;
  readonly bytes: number;
}

interface Steps {
  readonly steps: readonly Step[];
  readonly end: ChangePosition;
  readonly hasMore: boolean;
}

const BEGINNING: ChangePosition = { transaction: '-1', place: COPIED_KINDS[0], id: NIL_UUID };

const COPY_ANEW = 'Copy everything again, from the beginning.';

/** Every record in its current state, the longest unchanged first. */
@Injectable()
export class ChangesService {
  private readonly sealed: SealedPositions;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS_TOKEN) { SECRETS_KEY }: Settings,
  ) {
    this.sealed = new SealedPositions(SECRETS_KEY, 'deskwire change cursors');
  }

  /** Round trips: 1, 1 more for a mark that leads to other records, and 1 for each kind of record. */
  async page(accountId: string, { cursor, perPage }: ChangesQuery): Promise<ChangesPage> {
    const account = this.database.account(accountId);
    const opened = cursor === undefined ? undefined : parseCursor(this.sealed.open(accountId, cursor));
    const from = opened?.position ?? BEGINNING;
    const { found, history, isAhead, hasForeign, latest } = await scan(account, from, perPage + 1);
    if (opened && (isAhead || opened.history !== history)) throw cursorOfAnotherHistory(COPY_ANEW);
    if (hasForeign) await markForeign(account);
    const all = await stepsFrom(account, from, found, perPage);
    const fitting = all.steps.slice(0, Math.min(fittingRecords(all.steps.map(({ bytes }) => bytes)), perPage));
    const isWhole = fitting.length === all.steps.length;
    const end = isWhole ? all.end : fitting.at(-1)!.position;
    const references = fitting.map(({ reference }) => reference);
    return {
      changes: await loadChanges(account, references),
      cursor: this.sealed.seal(accountId, formatCursor(history, end)),
      hasMore: !isWhole || all.hasMore || hasForeign === true,
      latest,
    };
  }
}

/** A cursor includes the history of its database, because transaction numbers restart after a restore. */
const formatCursor = (history: string, { transaction, place, id, keys }: ChangePosition): Buffer =>
  Buffer.from(JSON.stringify([history, transaction, place, id, keys ?? null]));

function parseCursor(text: Buffer | null | undefined): { history: string; position: ChangePosition } {
  const [history, transaction, place, id, keys] = text ? (JSON.parse(text.toString()) as unknown[]) : [];
  if (!isPlace(place) || !isUuid(String(id)))
    throw new InvalidField('cursor', 'invalid_cursor', 'cursor does not come from this feed');
  const position = { transaction: String(transaction), place, id: String(id), keys: (keys as string[]) ?? undefined };
  return { history: String(history), position };
}

const isPlace = (place: unknown): place is Place =>
  [...COPIED_KINDS, ...[...COPIED_KINDS, ...Object.keys(WALKS)].map((kind) => `mark ${kind}`)].includes(String(place));

/** Returns the changed records up to the first mark that leads to other records, or the records it leads to. */
async function stepsFrom(
  account: AccountConnection,
  from: ChangePosition,
  found: readonly FoundChange[],
  perPage: number,
): Promise<Steps> {
  if (from.keys) return walkOn(account, from, perPage);
  const steps = found.map(stepOf);
  const walkAt = steps.findIndex((step) => step === null);
  if (walkAt === 0) return walkOn(account, positionOf(found[0]!), perPage);
  const reported = steps.slice(0, walkAt < 0 ? steps.length : walkAt) as Step[];
  return { steps: reported, end: reported.at(-1)?.position ?? from, hasMore: walkAt > 0 };
}

async function walkOn(account: AccountConnection, mark: ChangePosition, perPage: number): Promise<Steps> {
  const name = markOf(mark.place) as Walk;
  const records = await walk(account, name, mark, perPage + 1);
  const steps = records.map(({ id, keys, bytes }) => ({
    reference: { kind: WALKS[name].kind, id },
    position: { ...mark, keys },
    bytes,
  }));
  return { steps, end: { ...mark, keys: undefined }, hasMore: true };
}

const positionOf = ({ transaction, place, id }: FoundChange): ChangePosition => ({ transaction, place, id });

/** Null for a mark that leads to other records. */
function stepOf(change: FoundChange): Step | null {
  const mark = markOf(change.place);
  if (mark !== null && mark in WALKS) return null;
  const kind = (mark ?? change.place) as CopiedKind;
  const goneAs = mark === null ? undefined : change.publicId!;
  return { reference: { kind, id: change.id, goneAs }, position: positionOf(change), bytes: change.bytes };
}

interface RecordReference {
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

/** Skips records that were deleted since they were found; their deletion follows later. */
async function loadChanges(account: AccountConnection, references: readonly RecordReference[]): Promise<Change[]> {
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
