import { type AccountConnection, Database } from '#libs/database';
import type { CopiedKind } from '#libs/entities';
import { cursorOfAnotherHistory, fittingRecords } from '#libs/lists';
import type { Change } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { BEGINNING, ChangeCursors, type ChangePosition } from './change-position.js';
import { type RecordReference, loadChanges } from './load-changes.js';
import { type FoundChange, markForeign, markOf, scan } from './scan.js';
import { WALKS, type Walk, walk } from './walks.js';

export interface ChangesQuery {
  readonly cursor?: string | undefined;
  readonly perPage: number;
}

export interface ChangesPage {
  readonly changes: readonly Change[];
  /** Where to continue: at once if there is more, or later. */
  readonly cursor: string;
  readonly hasMore: boolean;
  /** The last transaction visible to this page. For internal use only. */
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

const COPY_ANEW = 'Copy everything again, from the beginning.';

/** The feed of changes: every record in its current state, the longest unchanged first. */
@Injectable()
export class ChangesService {
  private readonly cursors: ChangeCursors;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    this.cursors = new ChangeCursors(settings.SECRETS_KEY.map(({ key }) => key));
  }

  /** Round trips: 1, 1 more for a mark that leads to other records, and 1 for each kind of record. */
  async page(accountId: string, { cursor, perPage }: ChangesQuery): Promise<ChangesPage> {
    const account = this.database.account(accountId);
    const opened = cursor === undefined ? undefined : this.cursors.open(accountId, cursor);
    const from = opened?.position ?? BEGINNING;
    const { found, history, isAhead, hasForeign, latest } = await scan(account, from, perPage + 1);
    if (opened && (isAhead || opened.history !== history)) throw cursorOfAnotherHistory(COPY_ANEW);
    if (hasForeign) await markForeign(account);
    const all = await stepsFrom(account, { from, found, perPage });
    const fitting = all.steps.slice(0, countFitting(all.steps, perPage));
    const isWhole = fitting.length === all.steps.length;
    const end = isWhole ? all.end : fitting.at(-1)!.position;
    return {
      changes: await loadChanges(
        account,
        fitting.map(({ reference }) => reference),
      ),
      cursor: this.cursors.seal(accountId, history, end),
      hasMore: !isWhole || all.hasMore || hasForeign === true,
      latest,
    };
  }
}

interface Found {
  readonly from: ChangePosition;
  readonly found: readonly FoundChange[];
  readonly perPage: number;
}

/** Returns the changed records up to the first mark that leads to other records, or the records it leads to. */
async function stepsFrom(account: AccountConnection, { from, found, perPage }: Found): Promise<Steps> {
  if (from.keys) return walkOn(account, from, perPage);
  const steps = found.map(stepOf);
  const walkAt = steps.findIndex((step) => step === null);
  if (walkAt === 0) return walkOn(account, positionOf(found[0]!), perPage);
  const told = steps.slice(0, walkAt < 0 ? steps.length : walkAt) as Step[];
  return { steps: told, end: told.at(-1)?.position ?? from, hasMore: walkAt > 0 };
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

const countFitting = (steps: readonly Step[], perPage: number): number =>
  Math.min(fittingRecords(steps.map(({ bytes }) => bytes)), perPage);
