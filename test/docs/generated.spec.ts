import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EVENT_KINDS } from '#libs/payloads';
import { SECRETS, SETTINGS } from '#libs/settings';
import { describe, expect, it } from 'vitest';
import { formatted } from './formatted.js';
import { EXAMPLE_HEADERS, SAMPLES } from './sample-records.js';

const settings = Object.entries(SETTINGS).map(([name, { doc, shown }]) => ({
  name,
  shown,
  doc: SECRETS.includes(name) ? `${doc} Or \`${name}_FILE\`.` : doc,
}));
const kinds = Object.entries(EVENT_KINDS);
const code = (text: string): string => text && `\`${text}\``;

type Edit = (document: string) => string;

/** The rows of the table with this first heading. */
const table =
  (heading: string, rows: readonly (readonly string[])[]): Edit =>
  (document) => {
    const head = new RegExp(String.raw`^(\| ${heading} +\|.*\n\|[ |-]+\n)(?:\|.*\n)*`, 'm');
    expect(document).toMatch(head);
    const body = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
    return document.replace(head, (_, headings: string) => headings + body);
  };

/** The JSON block marked with the record’s name. */
const record =
  (name: string, sample: object): Edit =>
  (document) => {
    const block = new RegExp(String.raw`^(\`\`\`json record=${name}\n)[^]*?^(?=\`\`\`$)`, 'm');
    expect(document).toMatch(block);
    const fields = Object.entries(sample).map(([field, value]) => `"${field}": ${JSON.stringify(value)}`);
    return document.replace(block, (_, fence: string) => `${fence}{\n${fields.join(',\n')}\n}\n`);
  };

/** The header values in the HTTP block. */
const request: Edit = (document) =>
  Object.entries(EXAMPLE_HEADERS).reduce((text, [name, value]) => {
    const line = new RegExp(String.raw`^(${name}: ).*$`, 'im');
    expect(text).toMatch(line);
    return text.replace(line, (_, start: string) => start + value);
  }, document);

/** The document with each generated part generated again. */
async function documentWith(path: string, ...edits: readonly Edit[]): Promise<string> {
  const edited = edits.reduce((document, edit) => edit(document), readFileSync(path, 'utf8'));
  return formatted(path, edited);
}

function environmentExample(): string {
  const entries = settings.map(({ name, doc, shown }) => `# ${doc}\n# ${name}=${shown}\n`);
  return ['# Every setting, with what holds where it is unset. See docs/configuration.md.\n', ...entries].join('\n');
}

const settingRows = settings.map(({ name, doc, shown }) => [code(name), code(shown), doc]);
const kindRows = kinds.map(([kind, { record: name, when }]) => [code(kind), code(name), when]);
const records = Object.entries(SAMPLES).map(([name, sample]) => record(name, sample));

const FILES: Readonly<Record<string, () => string | Promise<string>>> = {
  '.env.example': environmentExample,
  'docs/configuration.md': () => documentWith('docs/configuration.md', table('variable', settingRows)),
  'docs/webhooks.md': () => documentWith('docs/webhooks.md', table('kind', kindRows), request, ...records),
  'docs/specification.md': () =>
    documentWith(
      'docs/specification.md',
      table(
        'kind',
        kindRows.map(([kind]) => [kind!]),
      ),
    ),
};

describe('the lists of settings, kinds of events and records in documents (npm run docs)', () => {
  it.each(Object.entries(FILES))('match the code in %s', async (path, write) => {
    await expect(await write()).toMatchFileSnapshot(resolve(path));
  });
});
