import { accountStatement, Clock, Database, filter, isUuid, later, uuidAt } from '#libs/database';
import { NotFound } from '#libs/entities';
import type { RequestContext } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { PageNotice } from '../../ui/page-response.js';
import { type FormerTicket, isChanged, undoForm } from '../../customers/index.js';
import type { InboxQuery } from '../../shell/inbox-query.js';

/** Longer than a toast is shown, and than anybody thinks about it. */
const KEPT_MS = 60 * 60 * 1000;

/** A toast is in a cookie, which has room for so many characters besides its words. */
const MAX_IN_COOKIE = 1200;

/** One round trip. It also deletes what nobody undid. */
const KEEP = accountStatement(
  'bulk_undo_keep',
  `with gone as (delete from bulk_undos where account_id = $1 and created_at < $6)
   insert into bulk_undos (id, account_id, agent_id, former, created_at) values ($2, $1, $3, $4, $5)`,
);

const READ = accountStatement(
  'bulk_undo_read',
  `select former from bulk_undos where id = $2 and ${filter('account_id = $1 and agent_id = $3 and created_at >= $4')}`,
);

/** How what tickets were before an action reaches whoever undoes it: many, in rows. Only whoever acted can undo it. */
@Injectable()
export class UndoService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** What a toast says, with the way back. */
  async notice(
    context: RequestContext,
    text: string,
    { back, former }: { readonly back: InboxQuery; readonly former: readonly FormerTicket[] },
  ): Promise<PageNotice> {
    const changed = former.filter(isChanged);
    if (changed.length === 0) return { tone: 'good', text };
    const was = JSON.stringify(changed);
    const fields = was.length > MAX_IN_COOKIE ? { kept: await this.keep(context, changed) } : { was };
    return { tone: 'good', text, undo: undoForm(fields, back) };
  }

  private async keep({ accountId, agentId }: RequestContext, former: readonly FormerTicket[]): Promise<string> {
    const now = this.clock.now();
    const id = uuidAt(now);
    const values = [id, agentId, JSON.stringify(former), now, later(now, -KEPT_MS)];
    await this.database.account(accountId).rows(KEEP, values);
    return id;
  }

  async read({ accountId, agentId }: RequestContext, id: string): Promise<readonly FormerTicket[]> {
    const since = this.clock.in(-KEPT_MS);
    const kept = isUuid(id)
      ? await this.database.account(accountId).row<{ former: FormerTicket[] }>(READ, [id, agentId, since])
      : undefined;
    // One that an earlier version kept does not say what it made of the tickets.
    if (!kept?.former.every(({ left }) => left)) throw new NotFound('undo');
    return kept.former;
  }
}
