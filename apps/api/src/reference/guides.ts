import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ERROR_CODES, FIELD_CODES } from './error-codes.js';

/** Rendered from `docs` by apps/launcher/bootstrap/guides.mjs. */
export interface Guide extends GuideLink {
  readonly html: string;
  readonly sections: readonly (GuideLink & { id?: string; depth?: number; words: string })[];
}

export interface GuideLink {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
}

const FILE = createRequire(import.meta.url).resolve('#guides.json');
/** Deskwire in the examples. Other names may begin alike, and `/hooks` is a receiver on the reader's machine. */
const EXAMPLE_BASE =
  /(?:https:\/\/desk\.example(?:\.com)?|http:\/\/localhost:3000|\$BASE|\{base_url\})(?![\w-]|\.\w|\/hooks)/g;

const cached = new Map<string, readonly Guide[]>();

/** The guides, with the address of this installation in their examples. */
export function readGuides(base: string): readonly Guide[] {
  const read = () => JSON.parse(readFileSync(FILE, 'utf8').replaceAll(EXAMPLE_BASE, () => base)) as readonly Guide[];
  if (!cached.has(base)) cached.set(base, read());
  return cached.get(base)!;
}

const MAX_FOUND = 20;

const linksTo = (codes: Readonly<Record<string, string>>, prefix: string): GuideLink[] =>
  Object.entries(codes).map(([title, summary]) => ({ path: `/docs/errors#${prefix}${title}`, title, summary }));

const ERRORS = [...linksTo(ERROR_CODES, ''), ...linksTo(FIELD_CODES, 'field-')];

/** The sections that contain every word. Those whose heading has the words come first, the nearer to its start the earlier. */
export function sectionsWith(words: readonly string[], guides: readonly Guide[]): GuideLink[] {
  const contains = (text: string) => words.every((word) => text.includes(word));
  const sections = guides.flatMap((guide) => guide.sections);
  const named = sections.filter(({ title }) => contains(title.toLowerCase()));
  const others = sections.filter((one) => !named.includes(one) && contains(one.words));
  const place = ({ title }: GuideLink) => title.toLowerCase().indexOf(words[0]!);
  const codes = ERRORS.filter(({ title }) => contains(title));
  return [...named.toSorted((one, two) => place(one) - place(two)), ...others, ...codes].slice(0, MAX_FOUND);
}
