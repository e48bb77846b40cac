import { type AccountConnection, type AccountTx, type Repository, isUuid } from '#libs/database';
import { type Agent, Group, GroupMember, Ticket } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';

@Injectable()
export class GroupsRepository {
  constructor(
    @InjectRepository(Group) private readonly groups: Repository<Group>,
    @InjectRepository(GroupMember) private readonly members: Repository<GroupMember>,
    @InjectRepository(Ticket) private readonly tickets: Repository<Ticket>,
  ) {}

  load(account: AccountConnection, ids: readonly string[]): Promise<Group[]> {
    return account.repository(this.groups).findByIds(ids);
  }

  /** By name or id. */
  find(account: AccountConnection, name: string): Promise<Group | null> {
    return account.repository(this.groups).findOne(named(name));
  }

  /** Also blocks tickets that are being assigned to it. */
  lock(tx: AccountTx, name: string): Promise<Group | null> {
    return tx.repository(this.groups).lock(named(name));
  }

  async insert(tx: AccountTx, group: Group, members: readonly Agent[]): Promise<void> {
    group.members = emailsOf(members);
    await tx.repository(this.groups).insert(group);
    await this.setMembers(tx, group, members);
  }

  /** Without `members`, they stay unchanged. */
  async save(tx: AccountTx, group: Group, members?: readonly Agent[]): Promise<void> {
    if (members) group.members = emailsOf(members);
    const { id, name, updatedAt } = group;
    await tx.repository(this.groups).update({ id }, { name, updatedAt, members: group.members });
    if (members) await this.setMembers(tx, group, members);
  }

  async delete(tx: AccountTx, { id }: Group): Promise<void> {
    await tx.repository(this.groups).delete({ id });
  }

  hasTickets(tx: AccountTx, { id }: Group): Promise<boolean> {
    return tx.repository(this.tickets).exists({ assignedGroupId: id });
  }

  private async setMembers(tx: AccountTx, { id }: Group, members: readonly Agent[]): Promise<void> {
    await tx.repository(this.members).delete({ groupId: id });
    for (const agent of members) await tx.repository(this.members).insert({ groupId: id, agentId: agent.id });
  }
}

const emailsOf = (members: readonly Agent[]): string[] => members.map(({ email }) => email).toSorted();

const named = (text: string): { id: string } | { name: string } => (isUuid(text) ? { id: text } : { name: text });
