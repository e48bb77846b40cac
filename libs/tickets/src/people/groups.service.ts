import { type AccountConnection, type AccountTx, Transactions, isUuid, uuidAt } from '#libs/database';
import {
  type Agent,
  Conflict,
  Group,
  GroupMember,
  InvalidField,
  InvalidFields,
  Ticket,
  existing,
} from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest } from '#libs/lists';
import { RECORDS, requireUnchanged } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { moveMergedOut } from '../merging/merge.statements.js';
import { pointsAt } from '../references.js';
import { type RequestContext, requireManager } from '../request-context.js';
import { findAgent } from './agent.statements.js';

export interface GroupFields {
  readonly name?: string | undefined;
  /** Emails or ids of all members. */
  readonly members?: readonly string[] | undefined;
}

export interface GroupQuery extends PageRequest {
  /** Email or id of a member. */
  readonly agent?: string | undefined;
}

const BY_NAME: Order = { name: 'name', descending: false, keys: [{ column: 'g.name', type: 'text' }] };

@Injectable()
export class GroupsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
  ) {}

  list(context: RequestContext, query: GroupQuery): Promise<Page<Group>> {
    const conditions = Conditions.forAccount('g');
    if (query.agent !== undefined) {
      const isMember = pointsAt(conditions, 'agent_id', 'agents', query.agent);
      conditions.add(`g.id in (select group_id from group_members where account_id = $1 and ${isMember})`);
    }
    const listing = { from: 'groups g', id: 'g.id', conditions, order: BY_NAME };
    return this.lists.page(context, listing, query, (account, ids) => account.repository(Group).findByIds(ids));
  }

  async read(context: RequestContext, name: string): Promise<Group> {
    return existing(await findGroup(this.transactions.account(context), name), 'group');
  }

  create(context: RequestContext, wanted: GroupFields & { readonly name: string }): Promise<Group> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const members = await knownAgents(tx, wanted.members ?? []);
      const { name } = wanted;
      const group = Object.assign(new Group(), { id: uuidAt(now), name, createdAt: now, updatedAt: now });
      group.members = emailsOf(members);
      await tx.repository(Group).insert(group);
      await setMembers(tx, group, members);
      await this.events.recordActivity(tx, context, 'group_created', { subject: group.name });
      return group;
    });
  }

  change(context: RequestContext, name: string, fields: GroupFields): Promise<Group> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const group = await lockGroup(tx, name);
      const members = fields.members && (await knownAgents(tx, fields.members));
      this.requireAsRead(context, group);
      Object.assign(group, { name: fields.name ?? group.name, updatedAt: now });
      if (members) group.members = emailsOf(members);
      const { id, updatedAt } = group;
      await tx.repository(Group).update({ id }, { name: group.name, updatedAt, members: group.members });
      if (members) await setMembers(tx, group, members);
      await this.events.recordActivity(tx, context, 'group_changed', { subject: group.name });
      return group;
    });
  }

  /** Refused while tickets are assigned to it, because they would lose their assignment unnoticed. */
  remove(context: RequestContext, name: string): Promise<void> {
    requireManager(context);
    return this.transactions.run(context, async (tx) => {
      const group = await lockGroup(tx, name);
      this.requireAsRead(context, group);
      moveMergedOut(tx, group.id);
      if (await tx.repository(Ticket).exists({ assignedGroupId: group.id }))
        throw new Conflict('group_in_use', 'Tickets are assigned to this group. Assign them elsewhere first.');
      await tx.repository(Group).delete({ id: group.id });
      await this.events.recordActivity(tx, context, 'group_deleted', { subject: group.name });
    });
  }

  private requireAsRead(context: RequestContext, group: Group): void {
    requireUnchanged(context, () => [{ group: RECORDS.Group(group, this.events.links) }]);
  }
}

/** By name or id. */
export const findGroup = (connection: AccountConnection, name: string): Promise<Group | null> =>
  connection.repository(Group).findOne(keyOf(name));

/** Also blocks tickets that are being assigned to it. */
const lockGroup = async (tx: AccountTx, name: string): Promise<Group> =>
  existing(await tx.repository(Group).lock(keyOf(name)), 'group');

const keyOf = (text: string): { id: string } | { name: string } => (isUuid(text) ? { id: text } : { name: text });

const emailsOf = (members: readonly Agent[]): string[] => members.map(({ email }) => email).toSorted();

async function setMembers(tx: AccountTx, { id }: Group, members: readonly Agent[]): Promise<void> {
  await tx.repository(GroupMember).delete({ groupId: id });
  for (const agent of members) await tx.repository(GroupMember).insert({ groupId: id, agentId: agent.id });
}

async function knownAgents(tx: AccountTx, members: readonly string[]): Promise<Agent[]> {
  const agents = new Map<string, Agent>();
  const faults: InvalidField[] = [];
  for (const emailOrId of members) {
    const agent = await findAgent(tx, emailOrId);
    const fault = `members includes ${emailOrId}, who is not an agent of this account`;
    if (agent) agents.set(agent.id, agent);
    else faults.push(new InvalidField('members', 'unknown_agent', fault));
  }
  if (faults.length > 0) throw new InvalidFields(faults);
  return [...agents.values()];
}
