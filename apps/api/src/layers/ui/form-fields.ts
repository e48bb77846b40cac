/** The field with the unique key of a form, by which the form takes effect once. */
export const FORM_KEY = 'form_key';

/** Reads the fields of a form as text. Missing, repeated and nested fields are empty. */
export class FormFields {
  constructor(private readonly body: unknown) {}

  text(name: string): string {
    const value = this.value(name);
    return typeof value === 'string' ? value : '';
  }

  texts(name: string): string[] {
    return [this.value(name)].flat().filter((part) => typeof part === 'string');
  }

  pick(...names: string[]): Record<string, string> {
    return Object.fromEntries(names.map((name) => [name, this.text(name)]));
  }

  value(name: string): unknown {
    return (this.body as Record<string, unknown> | null | undefined)?.[name];
  }
}

export const normalizeLineEndings = (text: string): string => text.replaceAll('\r\n', '\n');
