import { filter } from '#libs/database';

/** What a list is narrowed to: text with places, and the values for them. Values never become text. */
export class Conditions {
  private readonly parts: string[] = [];
  private readonly filters: string[] = [];
  private readonly bound: unknown[] = [];

  private constructor(readonly alias: string) {}

  /** Of `alias`, always within the account, which the connection puts in the first place. */
  static forAccount(alias: string): Conditions {
    return new Conditions(alias).add(`${alias}.account_id = $1`);
  }

  get values(): readonly unknown[] {
    return this.bound;
  }

  /** Whether rows must be looked through, one after the other, because no index leads to what is sought. */
  get hasFilter(): boolean {
    return this.filters.length > 0;
  }

  /** The place of a value in the text. */
  bind(value: unknown): string {
    this.bound.push(value);
    return `$${this.bound.length + 1}`;
  }

  add(sql: string): this {
    this.parts.push(sql);
    return this;
  }

  /**
   * For what only few rows of the account fit: they are found by it alone. Otherwise PostgreSQL, where it believes that the
   * account is small, looks through all of the account instead.
   */
  addKey(sql: string): this {
    this.parts[0] = filter(this.parts[0]!);
    return this.add(sql);
  }

  /** For what no index serves: it is asked of each row, of so many rows at most. */
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
