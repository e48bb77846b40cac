import type { EntityManager, ObjectLiteral, Repository as TypeOrmRepository } from 'typeorm';
import { AccountRepository, AccountTxRepository, type OfAccount, type Table, entityOf } from './repository.js';
import type { AccountStatement, Prepared, SystemStatement } from './statements.js';

/** What both the pool and a transaction can do. */
export interface Queryable {
  query(prepared: Prepared): Promise<{ rows: unknown[] }>;
}

/** What only a transaction can do: at its end, whatever went wrong is heard of. */
export interface Sending extends Queryable {
  send(prepared: Prepared): void;
  atCommit(sequel: () => Prepared | undefined): void;
}

/** Statements of one account: the account's id is always the first value, so none can be asked without it. */
export class AccountConnection {
  constructor(
    readonly accountId: string,
    private readonly connection: Queryable,
    protected readonly manager: EntityManager,
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

  /** The rows of this account in the table of an injected repository, or of an entity. */
  repository<T extends OfAccount>(table: Table<T>): AccountRepository<T> {
    return new AccountRepository(this.accountId, this.manager.getRepository(entityOf(table)));
  }
}

/** What waits for the commit of the transaction it was said in, and never happens without it. */
export type AfterCommitCallbacks = Set<() => void>;

/** A transaction of one account. Passed as `tx`, first, to whatever writes in it. */
export class AccountTx extends AccountConnection {
  constructor(
    accountId: string,
    private readonly pipeline: Sending,
    manager: EntityManager,
    private readonly afterCommit: AfterCommitCallbacks,
  ) {
    super(accountId, pipeline, manager);
  }

  /**
   * For a statement whose answer nobody needs. It goes with the next one that is waited for, or with the commit, and
   * that is refused if this one is.
   */
  send({ name, text }: AccountStatement, values: readonly unknown[] = []): void {
    this.pipeline.send({ name, text, values: [this.accountId, ...values] });
  }

  /** Runs once after the commit, however often the same function is given; it must neither fail nor be waited for. */
  onCommit(callback: () => void): void {
    this.afterCommit.add(callback);
  }

  /** For a statement that goes with the commit and is done after it. Asked when the commit is about to go. */
  atCommit(sequel: () => Prepared | undefined): void {
    this.pipeline.atCommit(sequel);
  }

  override repository<T extends OfAccount>(table: Table<T>): AccountTxRepository<T> {
    return new AccountTxRepository(this.accountId, this.manager.getRepository(entityOf(table)));
  }
}

/** A record of the installation, such as an account or an application. */
type OfNoAccount = ObjectLiteral & { accountId?: never };

/** Statements over all accounts: the operator's commands, the relay, upkeep, and finding out whose token this is. */
export class SystemConnection {
  constructor(
    private readonly connection: Queryable,
    protected readonly manager: EntityManager,
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

  /** For a text in which the table has a name that is known only at run time. */
  query<T>(text: string, parameters?: unknown[]): Promise<T[]> {
    return this.manager.query<T[]>(text, parameters);
  }

  /** Only for tables that are nobody's: the rows of an account are reached through `account`. */
  repository<T extends OfNoAccount>(entity: new () => T): TypeOrmRepository<T> {
    return this.manager.getRepository(entity);
  }
}

export class SystemTx extends SystemConnection {
  constructor(
    private readonly pipeline: Sending,
    manager: EntityManager,
    private readonly afterCommit: AfterCommitCallbacks,
  ) {
    super(pipeline, manager);
  }

  /** The same transaction, narrowed to one account. */
  account(accountId: string): AccountTx {
    return new AccountTx(accountId, this.pipeline, this.manager, this.afterCommit);
  }
}
