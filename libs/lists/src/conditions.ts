import { filter } from '#libs/database';

/** Values never become SQL. */
export class Conditions {
  private readonly parts: string[] = [];
  private readonly filters: string[] = [];
  private readonly bound: unknown[] = [];

  private constructor(readonly alias: string) {}

  /** The connection binds the account as `$1`. */
  static forAccount(alias: string): Conditions {
    return new Conditions(alias).add(`${alias}.account_id = $1`);
  }

  get values(): readonly unknown[] {
    return this.bound;
  }

  get hasFilter(): boolean {
    return this.filters.length > 0;
  }

  /** Returns the placeholder. */
  bind(value: unknown): string {
    this.bound.push(value);
    return `$${this.bound.length + 1}`;
  }

  add(sql: string): this {
    this.parts.push(sql);
    return this;
  }

  /**
   * For a condition that few rows meet. Hides the account condition from the planner, which would otherwise read all of
   * an account that it believes to be small.
   */
  addKey(sql: string): this {
    this.parts[0] = filter(this.parts[0]!);
    return this.add(sql);
  }

  /** For a condition that no index serves. */
  addFilter(sql: string): this {
    this.filters.push(sql);
    return this;
  }

  sql(): string {
    return this.parts.join(' and ');
  }

  filterSql(): string {
    return this.filters.join(' and ') || 'true';
  }

  copy(): Conditions {
    const copy = new Conditions(this.alias);
    copy.parts.push(...this.parts);
    copy.filters.push(...this.filters);
    copy.bound.push(...this.bound);
    return copy;
  }
}
