/** The fields of a form as text. What is missing, repeated or nested is empty: a page then asks for it again. */
export class Form {
  constructor(private readonly body: unknown) {}

  text(name: string): string {
    const value = (this.body as Record<string, unknown> | null | undefined)?.[name];
    return typeof value === 'string' ? value : '';
  }
}
