import type { EntityManager, ObjectLiteral, Repository as TypeOrmRepository } from 'typeorm';
import type { Pipeline } from './pipeline.js';
import { AccountRepository, AccountTxRepository, type OfAccount } from './repository.js';
import type { AccountStatement, Prepared, SystemStatement } from './statements.js';

export interface Queryable {
  query(prepared: Prepared): Promise<{ rows: unknown[] }>;
}

/** Goes with the first statement of a transaction. `accept` throws if the transaction must be rolled back. */
export interface Precondition extends Prepared {
  readonly accept: (rows: readonly unknown[]) => void;
}

/** Adds the account as the first value of each statement. */
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

  repository<T extends OfAccount>(entity: new () => T): AccountRepository<T> {
    return new AccountRepository(this.accountId, this.manager.getRepository(entity));
  }
}

export class AccountTx extends AccountConnection {
  constructor(
    accountId: string,
    private readonly pipeline: Pipeline,
    manager: EntityManager,
    private readonly afterCommit: Set<() => void>,
  ) {
    super(accountId, pipeline, manager);
  }

  /** If it fails, so does the next statement or the commit. */
  send({ name, text }: AccountStatement, values: readonly unknown[] = []): void {
    this.pipeline.send({ name, text, values: [this.accountId, ...values] });
  }

  /** Sent with the next statement or the commit. Throws if the transaction has ended, and rejects if it fails. */
  later<T>({ name, text }: AccountStatement, values: readonly unknown[] = []): Promise<T[]> {
    const answer = this.pipeline.later({ name, text, values: [this.accountId, ...values] });
    return answer.then(({ rows }) => rows as T[]);
  }

  /** Called once, even if passed several times. Must not throw. */
  onCommit(callback: () => void): void {
    this.afterCommit.add(callback);
  }

  /** Its statement runs after the commit. */
  atCommit(follower: () => Prepared | undefined): void {
    this.pipeline.atCommit(follower);
  }

  override repository<T extends OfAccount>(entity: new () => T): AccountTxRepository<T> {
    return new AccountTxRepository(this.accountId, this.manager.getRepository(entity));
  }
}

type OfInstallation = ObjectLiteral & { accountId?: never };

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

  /** For table names known only at run time. */
  query<T>(text: string, parameters?: unknown[]): Promise<T[]> {
    return this.manager.query<T[]>(text, parameters);
  }

  /** For rows of no account, such as applications. */
  repository<T extends OfInstallation>(entity: new () => T): TypeOrmRepository<T> {
    return this.manager.getRepository(entity);
  }
}

export class SystemTx extends SystemConnection {
  constructor(
    private readonly pipeline: Pipeline,
    manager: EntityManager,
    private readonly afterCommit: Set<() => void>,
  ) {
    super(pipeline, manager);
  }

  account(accountId: string): AccountTx {
    return new AccountTx(accountId, this.pipeline, this.manager, this.afterCommit);
  }
}
