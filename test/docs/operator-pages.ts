import { readFileSync } from 'node:fs';

export const OPERATOR_PAGES = ['docs/operations.md', 'docs/machines.md'];

export interface Snippet {
  /** Page and line, for error messages. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
  /** The file named by a comment in the first line. */
  readonly file: string | undefined;
}

/** Every fenced block, as printed. */
export const SNIPPETS: readonly Snippet[] = OPERATOR_PAGES.flatMap((page) => {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^```(\S*)\n([^]*?)^```$/gm)].map(({ index, 1: language = '', 2: block = '' }) => ({
    place: `${page}:${text.slice(0, index).split('\n').length}`,
    language,
    text: block,
    file: /^(?:#!.*\n)?# (\/[^\s,:]*[^\s,:.])/.exec(block)?.[1],
  }));
});

export const snippetsIn = (language: string): [string, Snippet][] =>
  SNIPPETS.filter((one) => one.language === language).map((one) => [one.place, one]);

/** Returns the block that operators save under this name. */
export function snippetFor(file: string): string {
  const found = SNIPPETS.find((one) => one.file === file);
  if (!found) throw new Error(`No page for operators has a snippet for ${file}`);
  return found.text;
}
