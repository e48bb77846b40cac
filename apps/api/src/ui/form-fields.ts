/** The field in which each form of a page carries a key of its own, by which it takes effect once. */
export const FORM_KEY = 'form_key';

/** Reads the fields of a form as text. A missing, repeated or nested field is empty. */
export class FormFields {
  constructor(private readonly body: unknown) {}

  text(name: string): string {
    const value = this.value(name);
    return typeof value === 'string' ? value : '';
  }

  /** A single value is a list of one. */
  texts(name: string): string[] {
    const given = this.value(name);
    const value = typeof given === 'string' ? [given] : given;
    return Array.isArray(value) ? value.filter((part): part is string => typeof part === 'string') : [];
  }

  /** The named fields, as they were typed. */
  pick(...names: string[]): Record<string, string> {
    return Object.fromEntries(names.map((name) => [name, this.text(name)]));
  }

  value(name: string): unknown {
    return (this.body as Record<string, unknown> | null | undefined)?.[name];
  }
}
