/** The fields of a form as text. What is missing, repeated or nested is empty: a page then asks for it again. */
export class FormFields {
  constructor(private readonly body: unknown) {}

  text(name: string): string {
    const value = this.value(name);
    return typeof value === 'string' ? value : '';
  }

  /** One alone is a list too. */
  texts(name: string): string[] {
    const given = this.value(name);
    const value = typeof given === 'string' ? [given] : given;
    return Array.isArray(value) ? value.filter((part): part is string => typeof part === 'string') : [];
  }

  /** The fields `names`, as they were typed. */
  pick(...names: string[]): Record<string, string> {
    return Object.fromEntries(names.map((name) => [name, this.text(name)]));
  }

  value(name: string): unknown {
    return (this.body as Record<string, unknown> | null | undefined)?.[name];
  }
}
