import { filter } from '#libs/database';

/** A condition that no index serves: it is evaluated for a limited number of rows, called `scanned`. */
export interface ScanFilter {
  readonly sql: string;
  /** A common table expression that `sql` uses. */
  readonly table?: string | undefined;
  /** Expected share of scanned rows that match (0 to 1). */
  readonly density: number;
}

/** Values never become SQL. */
export class Conditions {
  private readonly parts: string[] = [];
  private readonly bound: unknown[] = [];
  scanFilter: ScanFilter | undefined;

  private constructor(readonly alias: string) {}

  /** The connection binds the account as `$1`. */
  static forAccount(alias: string): Conditions {
    return new Conditions(alias).add(`${alias}.account_id = $1`);
  }

  get values(): readonly unknown[] {
    return this.bound;
  }

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

  sql(): string {
    return this.parts.join(' and ');
  }

  copy(): Conditions {
    const copy = new Conditions(this.alias);
    copy.parts.push(...this.parts);
    copy.scanFilter = this.scanFilter;
    copy.bound.push(...this.bound);
    return copy;
  }
}
