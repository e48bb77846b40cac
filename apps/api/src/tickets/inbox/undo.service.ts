import { Clock, Database, isUuid, later, uuidAt } from '#libs/database';
import { existing } from '#libs/entities';
import type { ChangedTicket, RequestContext } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { type InboxQuery, toSearchParams } from '../inbox-query.js';
import type { PageNotice } from '../../layers/ui/page-response.js';
import { KEEP_UNDO, READ_UNDO } from './undo.statements.js';

export const UNDOABLE_MS = 60 * 60 * 1000;

export interface FormerTicket extends ChangedTicket {
  readonly deleted?: boolean;
}

export const deletedTicket = (number: number): FormerTicket => ({ number, was: {}, left: {}, deleted: true });

/** Stores the former state of changed tickets. Only the agent who changed them can undo it. */
@Injectable()
export class UndoService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async notice(
    { accountId, agentId }: RequestContext,
    text: string,
    { back, former }: { readonly back: InboxQuery; readonly former: readonly FormerTicket[] },
  ): Promise<PageNotice> {
    const changed = former.filter(({ was, deleted, merged }) => deleted || merged || Object.keys(was).length > 0);
    if (changed.length === 0) return { tone: 'good', text };
    const now = this.clock.now();
    const kept = uuidAt(now);
    const values = [kept, agentId, JSON.stringify(changed), now, later(now, -UNDOABLE_MS)];
    await this.database.account(accountId).rows(KEEP_UNDO, values);
    return { tone: 'good', text, undo: { path: '/tickets/undo', fields: { kept, back: toSearchParams(back) } } };
  }

  /** With the number of a merged ticket, only the undo of that merge. */
  async read({ accountId, agentId }: RequestContext, id: string, merged: number): Promise<readonly FormerTicket[]> {
    const now = this.clock.now();
    const values = [id, agentId, later(now, -UNDOABLE_MS)];
    const account = this.database.account(accountId);
    const kept = isUuid(id) && (await account.row<{ former: FormerTicket[] }>(READ_UNDO, values));
    const former = existing(kept, 'undo').former.filter((one) => merged === 0 || one.merged?.number === merged);
    existing(former[0], 'undo');
    return former.map((one) => ({ ...one, was: withTimes(one.was, now), left: withTimes(one.left, now) }));
  }
}

/** JSON has no times. A snooze that has ended meanwhile is none. */
function withTimes({ snoozedUntil, ...values }: FormerTicket['was'], now: Date): FormerTicket['was'] {
  if (snoozedUntil === undefined) return values;
  const until = snoozedUntil && new Date(snoozedUntil);
  return { ...values, snoozedUntil: until && until > now ? until : null };
}
