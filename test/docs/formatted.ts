import { readFileSync } from 'node:fs';
import { type FormatConfig, format } from 'oxfmt';

const OPTIONS = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;

/** As `npm run format` writes this file. */
export async function formatted(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, OPTIONS);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  return code;
}
