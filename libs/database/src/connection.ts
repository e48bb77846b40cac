import type { EntityManager, EntityTarget, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { AccountStatement, SystemStatement } from './statements.js';

/** What both the pool and a client of it can do. */
export interface Queryable {
  query(prepared: {
    name: string;
    text: string;
    values: unknown[];
  }): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

/** Statements of one account: the account's id is always the first value, so none can be asked without it. */
export class AccountConnection {
  constructor(
    readonly accountId: string,
    private readonly connection: Queryable,
  ) {}

  async rows<T = Record<string, unknown>>(statement: AccountStatement, values: readonly unknown[] = []): Promise<T[]> {
    const { name, text } = statement;
    return (await this.connection.query({ name, text, values: [this.accountId, ...values] })).rows as T[];
  }

  async row<T = Record<string, unknown>>(
    statement: AccountStatement,
    values: readonly unknown[] = [],
  ): Promise<T | undefined> {
    return (await this.rows<T>(statement, values))[0];
  }
}

/** What waits for the commit of the transaction it was said in, and never happens without it. */
export type AfterCommitCallbacks = Set<() => void>;

/** A transaction of one account. Passed as `tx`, first, to whatever writes in it. */
export class AccountTx extends AccountConnection {
  constructor(
    accountId: string,
    connection: Queryable,
    private readonly manager: EntityManager,
    private readonly afterCommit: AfterCommitCallbacks,
  ) {
    super(accountId, connection);
  }

  /** Runs once after the commit, however often the same function is given; it must neither fail nor be waited for. */
  onCommit(callback: () => void): void {
    this.afterCommit.add(callback);
  }

  /** Rows of one table of this account, for paths where speed does not matter. */
  repository<T extends ObjectLiteral & { accountId: string }>(entity: EntityTarget<T>): AccountRepository<T> {
    return new AccountRepository(this.accountId, this.manager, entity);
  }
}

export class AccountRepository<T extends ObjectLiteral & { accountId: string }> {
  constructor(
    private readonly accountId: string,
    private readonly manager: EntityManager,
    private readonly entity: EntityTarget<T>,
  ) {}

  find(where: FindOptionsWhere<T> = {}): Promise<T[]> {
    return this.manager.findBy(this.entity, this.within(where));
  }
  findOne(where: FindOptionsWhere<T>): Promise<T | null> {
    return this.manager.findOneBy(this.entity, this.within(where));
  }
  lock(where: FindOptionsWhere<T>): Promise<T | null> {
    return this.manager.findOne(this.entity, { where: this.within(where), lock: { mode: 'pessimistic_write' } });
  }
  count(where: FindOptionsWhere<T> = {}): Promise<number> {
    return this.manager.countBy(this.entity, this.within(where));
  }
  async insert(row: Omit<Partial<T>, 'accountId'>): Promise<void> {
    await this.manager.insert(this.entity, { ...row, accountId: this.accountId } as never);
  }
  async update(where: FindOptionsWhere<T>, changes: Omit<Partial<T>, 'accountId'>): Promise<number> {
    return (await this.manager.update(this.entity, this.within(where), changes as never)).affected ?? 0;
  }
  async delete(where: FindOptionsWhere<T>): Promise<number> {
    return (await this.manager.delete(this.entity, this.within(where))).affected ?? 0;
  }

  private within(where: FindOptionsWhere<T>): FindOptionsWhere<T> {
    return { ...where, accountId: this.accountId };
  }
}

/** Statements over all accounts: the operator's commands, the relay, upkeep, and finding out whose token this is. */
export class SystemConnection {
  constructor(
    private readonly connection: Queryable,
    readonly manager: EntityManager,
    private readonly afterCommit: AfterCommitCallbacks = new Set(),
  ) {}

  async rows<T = Record<string, unknown>>(statement: SystemStatement, values: readonly unknown[] = []): Promise<T[]> {
    const { name, text } = statement;
    return (await this.connection.query({ name, text, values: [...values] })).rows as T[];
  }

  async row<T = Record<string, unknown>>(
    statement: SystemStatement,
    values: readonly unknown[] = [],
  ): Promise<T | undefined> {
    return (await this.rows<T>(statement, values))[0];
  }

  /** The same transaction, narrowed to one account. */
  account(accountId: string): AccountTx {
    return new AccountTx(accountId, this.connection, this.manager, this.afterCommit);
  }
}
