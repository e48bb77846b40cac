import { readFileSync } from 'node:fs';

export interface CodeBlock {
  /** The first word after the fence. */
  readonly language: string;
  /** Attributes after the language, such as `file=verify.py`. */
  readonly marks: Readonly<Record<string, string>>;
  readonly text: string;
}

export const GUIDE = readFileSync('docs/webhooks.md', 'utf8');

export const BLOCKS: readonly CodeBlock[] = [...GUIDE.matchAll(/^```(\S+)(.*)\n([^]*?)^```$/gm)].map((match) => {
  const [, language = '', marks = '', text = ''] = match;
  return {
    language,
    text,
    marks: Object.fromEntries([...marks.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
  };
});

/** Returns the block that readers save under this name. */
export function fileBlock(file: string): string {
  const block = BLOCKS.find(({ marks }) => marks['file'] === file);
  if (!block) throw new Error(`docs/webhooks.md has no code for ${file}`);
  return block.text;
}
