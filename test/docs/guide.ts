import { readFileSync } from 'node:fs';

export interface CodeBlock {
  /** The first word after the fence. */
  readonly language: string;
  /** Attributes after the language, such as `file=verify.py`. */
  readonly marks: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The pages whose code tests run. */
export const PAGES = [
  'getting-started.md',
  'receivers.md',
  'recipes/crm-sync.md',
  'recipes/postgres-mirror.md',
  'recipes/slack.md',
  'webhooks.md',
  'webhooks-records.md',
  'webhooks-verify.md',
].map((page) => `docs/${page}`);

export const BLOCKS: readonly CodeBlock[] = PAGES.flatMap((page) => blocksOf(readFileSync(page, 'utf8')));

function blocksOf(text: string): CodeBlock[] {
  return [...text.matchAll(/^```(\S+)(.*)\n([^]*?)^```$/gm)].map(([, language = '', marks = '', code = '']) => ({
    language,
    text: code,
    marks: Object.fromEntries([...marks.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
  }));
}

/** Returns the block that readers save under this name. */
export function fileBlock(file: string): string {
  const blocks = BLOCKS.filter(({ marks }) => marks['file'] === file);
  if (blocks.length !== 1) throw new Error(`The guides have ${blocks.length} blocks for ${file}`);
  return blocks[0]!.text;
}
