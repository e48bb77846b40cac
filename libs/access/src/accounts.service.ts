import { Clock, Database, type SystemTx, isUuid, uuidAt } from '#libs/database';
import { Account, Agent, Conflict, existing, validateName, validateEmail } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { hashPassword } from './password-hashes.js';
import { validatePassword } from './passwords.js';

export type NewAgent = Pick<Agent, 'email' | 'firstName' | 'lastName' | 'role'> & { readonly password: string };

@Injectable()
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async create(tx: SystemTx, name: string): Promise<Account> {
    const account = Object.assign(new Account(), {
      id: uuidAt(this.clock.now()),
      name: validateName('name', name),
      createdAt: this.clock.now(),
    });
    await tx.repository(Account).insert(account);
    return account;
  }

  list(): Promise<Account[]> {
    const accounts = this.database.system().repository(Account);
    return accounts.find({ order: { id: 'ASC' } });
  }

  async find(idOrName: string): Promise<Account> {
    const where = isUuid(idOrName) ? { id: idOrName } : { name: idOrName };
    const found = await this.database.system().repository(Account).findBy(where);
    if (found.length > 1)
      throw new Conflict('ambiguous_account', `Several accounts are called “${idOrName}”. Use the ID.`);
    return existing(found[0], 'account');
  }

  async addAgent(tx: SystemTx, accountId: string, agent: NewAgent): Promise<Agent> {
    const now = this.clock.now();
    const added = Object.assign(new Agent(), {
      id: uuidAt(now),
      email: validateEmail(agent.email),
      firstName: validateName('first_name', agent.firstName),
      lastName: validateName('last_name', agent.lastName),
      role: agent.role,
      state: 'active',
      passwordHash: await hashPassword(validatePassword(agent.password), agent.email),
      createdAt: now,
      updatedAt: now,
    });
    const agents = tx.account(accountId).repository(Agent);
    if (await agents.findOne({ email: added.email }))
      throw new Conflict('agent_exists', `${added.email} is already an agent of this account.`);
    await agents.insert(added);
    return Object.assign(added, { accountId });
  }

  async findAgent(accountId: string, email: string): Promise<Agent> {
    const agents = this.database.account(accountId).repository(Agent);
    return existing(await agents.findOne({ email: email.trim().toLowerCase() }), 'agent');
  }
}
