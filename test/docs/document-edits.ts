import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { formatted } from './formatted.js';

export type Edit = (document: string) => string;

/** The document with each generated part generated again. */
export async function documentWith(path: string, ...edits: readonly Edit[]): Promise<string> {
  const edited = edits.reduce((document, edit) => edit(document), readFileSync(path, 'utf8'));
  return formatted(path, edited);
}

/** The rows of the table with this first heading. */
export const table =
  (heading: string, rows: readonly (readonly string[])[]): Edit =>
  (document) => {
    const body = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
    return document.replace(tableOf(heading, document), (_all, headings: string) => headings + body);
  };

/** The names in the first column. Their descriptions are written by hand. */
export const names =
  (heading: string, expected: readonly string[]): Edit =>
  (document) => {
    const [, , body = ''] = tableOf(heading, document).exec(document)!;
    const lines = body.split('\n').filter((line) => line !== '');
    const rows = lines.map((line) => line.split('|').map((cell) => cell.trim()));
    const described = new Map(rows.map(([, name = '', description = '']) => [name, description]));
    expect([...described.keys()], 'descriptions').toEqual(expect.arrayContaining([...expected]));
    return table(
      heading,
      expected.map((name) => [name, described.get(name)!]),
    )(document);
  };

/** The numbers in a sentence, wherever the document has it: sentence`within ${15} seconds`. */
export const sentence =
  (parts: TemplateStringsArray, ...values: readonly number[]): Edit =>
  (document) => {
    const patterns = parts.map(
      (part) => `(${part.replaceAll(/[.*+?()[\]|]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`)})`,
    );
    const found = new RegExp(patterns.join(String.raw`[\d,]+`), 'g');
    expect(document).toMatch(found);
    return document.replace(found, (_all, ...texts: string[]) =>
      parts.map((_part, index) => `${texts[index]}${values[index]?.toLocaleString('en') ?? ''}`).join(''),
    );
  };

/** The JSON block marked with the record’s name. */
export const record =
  (name: string, sample: object): Edit =>
  (document) => {
    const block = new RegExp(String.raw`^(\`\`\`json record=${name}\n)[^]*?^(?=\`\`\`$)`, 'm');
    expect(document).toMatch(block);
    const fields = Object.entries(sample).map(([field, value]) => `"${field}": ${JSON.stringify(value)}`);
    return document.replace(block, (_, fence: string) => `${fence}{\n${fields.join(',\n')}\n}\n`);
  };

/** The header values in the HTTP block. */
export const headerValues =
  (headers: Readonly<Record<string, string>>): Edit =>
  (document) =>
    Object.entries(headers).reduce((text, [name, value]) => {
      const line = new RegExp(String.raw`^(${name}: ).*$`, 'im');
      expect(text).toMatch(line);
      return text.replace(line, (_, start: string) => start + value);
    }, document);

/** Matches the headings and the rows. */
function tableOf(heading: string, document: string): RegExp {
  const found = new RegExp(String.raw`^(\| ${heading} +\|.*\n\|[ |-]+\n)((?:\|.*\n)*)`, 'm');
  expect(document).toMatch(found);
  return found;
}
