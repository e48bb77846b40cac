import { Clock, Database, isUuid, later, uuidAt } from '#libs/database';
import { NotFound } from '#libs/entities';
import type { RequestContext } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { InboxQuery } from '../../shell/inbox-query.js';
import type { PageNotice } from '../../ui/page-response.js';
import { type FormerTicket, isChanged, undoForm } from './former-tickets.js';
import { KEEP_UNDO, READ_UNDO } from './undo.statements.js';

const KEPT_MS = 60 * 60 * 1000;

/** A toast is stored in a cookie. More than this goes to the database. */
const MAX_COOKIE_CHARACTERS = 1200;

/** Stores the former state of changed tickets. Only the agent who changed them can undo it. */
@Injectable()
export class UndoService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async notice(
    context: RequestContext,
    text: string,
    { back, former }: { readonly back: InboxQuery; readonly former: readonly FormerTicket[] },
  ): Promise<PageNotice> {
    const changed = former.filter(isChanged);
    if (changed.length === 0) return { tone: 'good', text };
    const was = JSON.stringify(changed);
    const fields = was.length > MAX_COOKIE_CHARACTERS ? { kept: await this.keep(context, changed) } : { was };
    return { tone: 'good', text, undo: undoForm(fields, back) };
  }

  private async keep({ accountId, agentId }: RequestContext, former: readonly FormerTicket[]): Promise<string> {
    const now = this.clock.now();
    const id = uuidAt(now);
    const values = [id, agentId, JSON.stringify(former), now, later(now, -KEPT_MS)];
    await this.database.account(accountId).rows(KEEP_UNDO, values);
    return id;
  }

  async read({ accountId, agentId }: RequestContext, id: string): Promise<readonly FormerTicket[]> {
    const since = this.clock.in(-KEPT_MS);
    const kept = isUuid(id)
      ? await this.database.account(accountId).row<{ former: FormerTicket[] }>(READ_UNDO, [id, agentId, since])
      : undefined;
    if (!kept) throw new NotFound('undo');
    return kept.former;
  }
}
