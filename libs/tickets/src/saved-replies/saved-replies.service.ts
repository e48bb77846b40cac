import { type AccountTx, Transactions, isUuid, uuidAt } from '#libs/database';
import { SavedReply, existing, validateName } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest } from '#libs/lists';
import { RECORDS, requireUnchanged } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { normalized } from '../normalized.js';
import { findAgent } from '../people/agent.statements.js';
import { unknownReference } from '../references.js';
import type { RequestContext } from '../request-context.js';
import { findReplies } from './saved-reply.statements.js';

/** The assignee is an email or id. */
interface SavedReplyFields extends Partial<Pick<SavedReply, 'name' | 'body' | 'tags' | 'state' | 'assignee'>> {
  readonly shared?: boolean;
}

const BY_NAME: Order = {
  name: 'name',
  descending: false,
  keys: [
    { column: 'r.name_key', type: 'text' },
    { column: 'r.id', type: 'uuid' },
  ],
};

/** Every agent manages the shared ones. Private ones of others are reported as not found. */
@Injectable()
export class SavedRepliesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
  ) {}

  list(context: RequestContext, request: PageRequest): Promise<Page<SavedReply>> {
    const conditions = Conditions.forAccount('r');
    conditions.add(`(r.agent_id is null or r.agent_id = ${conditions.bind(context.agentId)})`);
    const listing = { from: 'saved_replies r', id: 'r.id', conditions, order: BY_NAME };
    return this.lists.page(context, listing, request, (account, ids) => account.repository(SavedReply).findByIds(ids));
  }

  find(context: RequestContext, q: string, limit: number): Promise<SavedReply[]> {
    return findReplies(this.transactions.account(context), context.agentId, q, limit);
  }

  async read(context: RequestContext, id: string): Promise<SavedReply> {
    return existing(await this.readIfAny(context, id), 'saved_reply');
  }

  async readIfAny(context: RequestContext, id: string): Promise<SavedReply | false | null> {
    const replies = this.transactions.account(context).repository(SavedReply);
    return isUuid(id) && ownedBy(context, await replies.findOne({ id }));
  }

  /** Without an id, adds one. */
  save(context: RequestContext, id: string | null, fields: SavedReplyFields): Promise<SavedReply> {
    return this.transactions.run(context, async (tx, now) => {
      const reply = id === null ? newReply(context, now) : await this.lock(tx, context, id);
      const columns = { ...(await changedColumns(tx, context, reply, fields)), updatedAt: now };
      Object.assign(reply, columns);
      if (id === null) await tx.repository(SavedReply).insert(reply);
      else await tx.repository(SavedReply).update({ id }, columns);
      const kind = id === null ? 'saved_reply_created' : 'saved_reply_changed';
      await this.events.recordActivity(tx, context, kind, { subject: reply.name });
      return reply;
    });
  }

  remove(context: RequestContext, id: string): Promise<SavedReply> {
    return this.transactions.run(context, async (tx) => {
      const reply = await this.lock(tx, context, id);
      await tx.repository(SavedReply).delete({ id });
      await this.events.recordActivity(tx, context, 'saved_reply_deleted', { subject: reply.name });
      return reply;
    });
  }

  private async lock(tx: AccountTx, context: RequestContext, id: string): Promise<SavedReply> {
    const reply = existing(isUuid(id) && ownedBy(context, await tx.repository(SavedReply).lock({ id })), 'saved_reply');
    requireUnchanged(context, () => [{ saved_reply: RECORDS.SavedReply(reply, this.events.links) }]);
    return reply;
  }
}

const ownedBy = ({ agentId }: RequestContext, reply: SavedReply | null): SavedReply | null =>
  reply?.agentId === null || reply?.agentId === agentId ? reply : null;

const newReply = ({ agentId }: RequestContext, now: Date): SavedReply =>
  Object.assign(new SavedReply(), { id: uuidAt(now), agentId, createdAt: now });

async function changedColumns(
  tx: AccountTx,
  { agentId }: RequestContext,
  reply: SavedReply,
  { assignee, shared = reply.agentId === null, ...fields }: SavedReplyFields,
) {
  const { body = reply.body, tags = reply.tags, state = reply.state } = fields;
  const name = validateName('name', fields.name ?? reply.name);
  const nameKey = normalized(name, 'NFKC').toLowerCase();
  const agent = assignee ? await findAgent(tx, assignee) : null;
  if (assignee && (!agent || agent.state === 'archived')) throw unknownReference('assignee');
  const email = assignee === undefined ? reply.assignee : (agent?.email ?? null);
  return { name, nameKey, body, tags, state, assignee: email, agentId: shared ? null : agentId };
}
