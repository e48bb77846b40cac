import { type FindOptionsWhere, In, type ObjectLiteral, type Repository as TypeOrmRepository } from 'typeorm';

export type OfAccount = ObjectLiteral & { accountId: string };

/** Hides TypeORM’s methods, which query all accounts. */
export class AccountRepository<T extends OfAccount> {
  constructor(
    protected readonly accountId: string,
    protected readonly rows: TypeOrmRepository<T>,
  ) {}

  find(where: FindOptionsWhere<T> = {}): Promise<T[]> {
    return this.rows.findBy(this.within(where));
  }

  /** Ordered by id. */
  async findByIds(ids: readonly string[]): Promise<T[]> {
    if (ids.length === 0) return [];
    const found = await this.find({ id: In(ids) } as never);
    const records = new Map(found.map((record) => [String(record['id']), record]));
    return ids.flatMap((id) => records.get(id) ?? []);
  }

  findOne(where: FindOptionsWhere<T>, ...others: FindOptionsWhere<T>[]): Promise<T | null> {
    return this.rows.findOneBy(this.anyOf(where, others));
  }

  exists(where: FindOptionsWhere<T>): Promise<boolean> {
    return this.rows.existsBy(this.within(where));
  }

  count(where: FindOptionsWhere<T> = {}): Promise<number> {
    return this.rows.countBy(this.within(where));
  }

  /** Never empty: TypeORM would find all rows. */
  protected anyOf(where: FindOptionsWhere<T>, others: FindOptionsWhere<T>[]): FindOptionsWhere<T>[] {
    return [where, ...others].map((one) => this.within(one));
  }

  protected within(where: FindOptionsWhere<T>): FindOptionsWhere<T> {
    return { ...where, accountId: this.accountId };
  }
}

export class AccountTxRepository<T extends OfAccount> extends AccountRepository<T> {
  /** Also blocks inserts that reference this row. */
  lock(where: FindOptionsWhere<T>, ...others: FindOptionsWhere<T>[]): Promise<T | null> {
    return this.rows.findOne({ where: this.anyOf(where, others), lock: { mode: 'pessimistic_write' } });
  }

  /** Does not block inserts that reference this row. */
  lockForChange(where: FindOptionsWhere<T>): Promise<T | null> {
    return this.rows.findOne({ where: this.within(where), lock: { mode: 'for_no_key_update' } });
  }

  /** Serialises transactions that depend on all of these rows. */
  async lockAll(where: FindOptionsWhere<T> = {}): Promise<void> {
    const order = { id: 'ASC' } as never;
    await this.rows.find({
      select: { id: true } as never,
      where: this.within(where),
      order,
      lock: { mode: 'for_no_key_update' },
    });
  }

  /** Call it after the insert: concurrent calls wait, so two cannot both add the last row. */
  async countInTurn(): Promise<number> {
    const name = `${this.rows.metadata.tableName} ${this.accountId}`;
    await this.rows.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
    return this.count();
  }

  async insert(row: Omit<Partial<T>, 'accountId'>): Promise<void> {
    await this.rows.insert({ ...row, accountId: this.accountId } as never);
  }

  async update(where: FindOptionsWhere<T>, changes: Omit<Partial<T>, 'accountId'>): Promise<number> {
    return (await this.rows.update(this.within(where), changes as never)).affected ?? 0;
  }

  async delete(where: FindOptionsWhere<T>): Promise<number> {
    return (await this.rows.delete(this.within(where))).affected ?? 0;
  }
}
