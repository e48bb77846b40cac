/** What a list is narrowed to: text with places, and the values for them. Values never become text. */
export class Conditions {
  private readonly parts: string[] = [];
  private readonly bound: unknown[] = [];

  /** Of `alias`, always within the account, which the connection puts in the first place. */
  static within(alias: string): Conditions {
    return new Conditions().add(`${alias}.account_id = $1`);
  }

  get values(): readonly unknown[] {
    return this.bound;
  }

  /** The place of a value in the text. */
  value(value: unknown): string {
    this.bound.push(value);
    return `$${this.bound.length + 1}`;
  }

  add(sql: string): this {
    this.parts.push(sql);
    return this;
  }

  sql(): string {
    return this.parts.join(' and ');
  }

  copy(): Conditions {
    const copy = new Conditions();
    copy.parts.push(...this.parts);
    copy.bound.push(...this.bound);
    return copy;
  }
}
