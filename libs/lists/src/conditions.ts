import { filter } from '#libs/database';

/** The WHERE clause of a list: SQL with placeholders, and their values. Values never become SQL. */
export class Conditions {
  private readonly parts: string[] = [];
  private readonly filters: string[] = [];
  private readonly bound: unknown[] = [];

  private constructor(readonly alias: string) {}

  /** Limits the list to the account, whose id the connection binds as `$1`. */
  static forAccount(alias: string): Conditions {
    return new Conditions(alias).add(`${alias}.account_id = $1`);
  }

  get values(): readonly unknown[] {
    return this.bound;
  }

  /** Whether rows must be scanned one by one, because no index serves a filter. */
  get hasFilter(): boolean {
    return this.filters.length > 0;
  }

  /** Binds a value and returns its placeholder. */
  bind(value: unknown): string {
    this.bound.push(value);
    return `$${this.bound.length + 1}`;
  }

  add(sql: string): this {
    this.parts.push(sql);
    return this;
  }

  /**
   * For a condition that few rows of the account meet. Hides the account condition from the planner, which would
   * otherwise read the whole account when it believes that to be small.
   */
  addKey(sql: string): this {
    this.parts[0] = filter(this.parts[0]!);
    return this.add(sql);
  }

  /** For a condition that no index serves. It is evaluated for a bounded number of rows. */
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
