/** The fields of a form as text. What no browser sends (repeated, nested, with a zero byte) is as good as missing. */
export class Form {
  constructor(private readonly body: unknown) {}

  text(name: string): string {
    const value = (this.body as Record<string, unknown> | null | undefined)?.[name];
    return typeof value === 'string' && !value.includes('\0') ? value : '';
  }
}
