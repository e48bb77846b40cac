import { type AccountTx, Transactions, uuidAt } from '#libs/database';
import {
  type Account,
  Agent,
  type AgentFields,
  type AgentRole,
  Conflict,
  Draft,
  Forbidden,
  SavedView,
} from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest } from '#libs/lists';
import { queueMail } from '#libs/mail';
import { RECORDS, requireUnchanged } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { sendHeldOf } from '../messages/held-reply.statements.js';
import { pointsAt } from '../references.js';
import { type RequestContext, requireManager } from '../request-context.js';
import { lockAgent, readAccount, readAgent } from './agent.statements.js';

/** Implemented by the app. */
export abstract class AgentAccess {
  /** Ends all sessions and tokens of the agent, and the webhooks of an archived one. */
  abstract end(tx: AccountTx, agent: Agent, now: Date): Promise<void>;
  /** Rejects if too many were sent. An invitation that fails does not count. */
  abstract limitInvitations<T>(accountId: string, email: string, invite: () => Promise<T>): Promise<T>;
}

export type NewAgent = Pick<Agent, 'email' | 'firstName' | 'lastName' | 'role'>;

export interface AgentQuery extends PageRequest {
  /** Name or id of a group. */
  readonly group?: string | undefined;
}

const BY_EMAIL: Order = { name: 'email', descending: false, keys: [{ column: 'a.email', type: 'text' }] };

@Injectable()
export class AgentsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly access: AgentAccess,
    private readonly lists: ListsService,
  ) {}

  list(context: RequestContext, query: AgentQuery): Promise<Page<Agent>> {
    const conditions = Conditions.forAccount('a');
    if (query.group !== undefined) {
      const isMember = pointsAt(conditions, 'group_id', 'groups', query.group);
      conditions.add(`a.id in (select agent_id from group_members where account_id = $1 and ${isMember})`);
    }
    const listing = { from: 'agents a', id: 'a.id', conditions, order: BY_EMAIL };
    return this.lists.page(context, listing, query, (account, ids) => account.repository(Agent).findByIds(ids));
  }

  read(context: RequestContext, emailOrId: string): Promise<Agent> {
    return readAgent(this.transactions.account(context), emailOrId);
  }

  async me(context: RequestContext): Promise<{ agent: Agent; account: Pick<Account, 'id' | 'name'> }> {
    const connection = this.transactions.account(context);
    const [agent, account] = await Promise.all([readAgent(connection, context.agentId), readAccount(connection)]);
    return { agent, account };
  }

  invite(context: RequestContext, wanted: NewAgent): Promise<Agent> {
    requireManager(context);
    requireOwnerFor(context, wanted.role);
    return this.runLimited(context, wanted.email, async (tx, now) => {
      const invited = { id: uuidAt(now), state: 'invited' as const, invitedAt: now, createdAt: now, updatedAt: now };
      const agent = Object.assign(new Agent(), wanted, invited);
      await tx.repository(Agent).insert(agent);
      oweInvitation(tx, agent, now);
      await this.events.record(tx, context, ['agent_invited', agent]);
      return agent;
    });
  }

  async inviteAgain(context: RequestContext, emailOrId: string): Promise<Agent> {
    requireManager(context);
    const { email } = await this.read(context, emailOrId);
    return this.runLimited(context, email, async (tx, now) => {
      const agent = await lockAgent(tx, emailOrId);
      requireOwnerFor(context, agent.role);
      if (agent.state !== 'invited') throw new Conflict('not_invited', 'The invitation was already accepted.');
      oweInvitation(tx, agent, now);
      return agent;
    });
  }

  /** Also limited without a mail server: the mail is queued, and a server may be set later. */
  private runLimited(context: RequestContext, email: string, work: (tx: AccountTx, now: Date) => Promise<Agent>) {
    return this.access.limitInvitations(context.accountId, email, () => this.transactions.run(context, work));
  }

  /** Agents may change their own names. Only owners grant or revoke ownership. */
  change(context: RequestContext, emailOrId: string, fields: AgentFields): Promise<Agent> {
    return this.transactions.run(context, async (tx, now) => {
      const agent = await this.lock(tx, context, emailOrId);
      if (agent.id !== context.agentId || (fields.role ?? agent.role) !== agent.role) requireManager(context);
      if (fields.role !== undefined && fields.role !== agent.role) {
        requireOwnerFor(context, agent.role, fields.role);
        await refuseLastOwner(tx, agent);
      }
      if (!agent.change(fields, now)) return agent;
      const { id, firstName, lastName, role, signature, updatedAt } = agent;
      await tx.repository(Agent).update({ id }, { firstName, lastName, role, signature, updatedAt });
      await this.events.recordActivity(tx, context, 'agent_changed', describeAgentActivity(agent));
      return agent;
    });
  }

  archive(context: RequestContext, emailOrId: string): Promise<Agent> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const agent = await this.lock(tx, context, emailOrId);
      requireOwnerFor(context, agent.role);
      await refuseLastOwner(tx, agent);
      if (!agent.archive(now)) return agent;
      await saveState(tx, agent);
      await this.access.end(tx, agent, now);
      await tx.repository(Draft).delete({ agentId: agent.id });
      await tx.repository(SavedView).delete({ agentId: agent.id });
      sendHeldOf(tx, agent.id, now);
      await this.events.record(tx, context, ['agent_archived', agent]);
      return agent;
    });
  }

  /** Ends access again, because a session may have started while the agent was archived. */
  restore(context: RequestContext, emailOrId: string): Promise<Agent> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const agent = await this.lock(tx, context, emailOrId);
      requireOwnerFor(context, agent.role);
      if (!agent.restore(now)) return agent;
      await saveState(tx, agent);
      await this.access.end(tx, agent, now);
      await this.events.recordActivity(tx, context, 'agent_restored', describeAgentActivity(agent));
      return agent;
    });
  }

  private async lock(tx: AccountTx, context: RequestContext, emailOrId: string): Promise<Agent> {
    // Two owners who archive each other at once must not both succeed.
    await tx.repository(Agent).lockAll({ role: 'owner' });
    const agent = await lockAgent(tx, emailOrId);
    requireUnchanged(context, () => [{ agent: RECORDS.Agent(agent, this.events.links) }]);
    return agent;
  }
}

const saveState = (tx: AccountTx, { id, state, archivedAt, updatedAt }: Agent) =>
  tx.repository(Agent).update({ id }, { state, archivedAt, updatedAt });

const oweInvitation = (tx: AccountTx, { id, email }: Agent, now: Date): string =>
  queueMail(tx, { kind: 'link', recipient: email, detail: { agent: id, purpose: 'invitation' } }, now);

const describeAgentActivity = (agent: Agent) => ({
  subject: agent.email,
  detail: { role: agent.role, state: agent.state },
});

function requireOwnerFor(context: RequestContext, ...roles: readonly AgentRole[]): void {
  if (context.role !== 'owner' && roles.includes('owner'))
    throw new Forbidden('role_not_allowed', 'Only an owner may invite, change or archive an owner.');
}

/** An account without an owner could never be managed again. */
async function refuseLastOwner(tx: AccountTx, agent: Agent): Promise<void> {
  if (agent.role !== 'owner' || agent.state === 'archived') return;
  if ((await tx.repository(Agent).count({ role: 'owner', state: 'active' })) === 1 && agent.state === 'active')
    throw new Conflict('last_owner', 'An account needs at least one owner.');
}
