import { type SoughtPart, type Word, fold, isDense } from '#libs/tickets';

export interface MarkedText {
  readonly text: string;
  readonly found: boolean;
}

/** Bounds the time for a text with very many matches. */
const MAX_MARKS = 50;
const BEFORE_CHARACTERS = 40;
const EXCERPT_CHARACTERS = 180;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Marks the words of a search in a text. Compares folded text, shows the original. */
export class SearchMarks {
  private readonly needles: readonly string[];

  constructor(parts: readonly SoughtPart[]) {
    this.needles = [...new Set(parts.flatMap(needlesOf))];
  }

  whole(text: string): MarkedText[] {
    return cut(text, { from: 0, to: text.length }, this.rangesIn(text));
  }

  excerpt(text: string): MarkedText[] | null {
    const ranges = this.rangesIn(text);
    const [first] = ranges;
    if (!first) return null;
    const from = first.from <= BEFORE_CHARACTERS ? 0 : wordStart(text, first.from - BEFORE_CHARACTERS);
    const pieces = cut(text, { from, to: Math.min(text.length, from + EXCERPT_CHARACTERS) }, ranges);
    const line = pieces.map(({ text: piece, found }) => ({ text: piece.replaceAll(/\s+/g, ' '), found }));
    return from > 0 ? [{ text: '… ', found: false }, ...line] : line;
  }

  private rangesIn(text: string): Range[] {
    const { folded, places } = foldInPlace(text);
    const words = new WordEnds(folded);
    const found = this.needles.flatMap((needle) =>
      placesOf(needle, folded, words).map((at) => ({ at, end: at + needle.length })),
    );
    return joined(
      found.map(({ at, end }) => ({ from: places?.[at] ?? at, to: places ? (places[end] ?? text.length) : end })),
    );
  }
}

function needlesOf(part: SoughtPart): string[] {
  if (part.excluded || (part.kind !== 'words' && part.kind !== 'customer')) return [];
  const needles: string[] = [];
  let before: Word | undefined;
  for (const word of part.words.filter((one) => one.part !== 'last')) {
    const goesOn = word.part === 'pair' && before?.part === 'pair' && before.at === word.at - 1;
    if (goesOn) needles.push(needles.pop()! + Array.from(word.text)[1]!);
    else needles.push(word.text);
    before = word;
  }
  return needles;
}

/** Folds each character on its own, to keep its position. */
function foldInPlace(text: string): { folded: string; places: readonly number[] | null } {
  if (/^[ -~\s]*$/.test(text)) return { folded: text.toLowerCase(), places: null };
  let folded = '';
  const places: number[] = [];
  let at = 0;
  const known = new Map<string, string>();
  for (const sign of text) {
    const same = known.get(sign) ?? fold(sign);
    known.set(sign, same);
    for (let place = 0; place < same.length; place++) places.push(at);
    folded += same;
    at += sign.length;
  }
  return { folded, places };
}

/** Finds words by their beginning, and signs anywhere. */
function placesOf(needle: string, text: string, words: WordEnds): number[] {
  const places: number[] = [];
  const isAnywhere = isDense(needle);
  let at = text.indexOf(needle);
  while (at !== -1 && places.length < MAX_MARKS) {
    const isFound = isAnywhere || !isSpaced(text.charAt(at - 1));
    if (isFound) places.push(at);
    at = text.indexOf(needle, isFound ? at + 1 : words.behind(at));
  }
  return places;
}

class WordEnds {
  private readonly known = new Map<number, number>();

  constructor(private readonly text: string) {}

  behind(from: number): number {
    const known = this.known.get(from);
    if (known !== undefined) return known;
    let at = from + 1;
    while (at < this.text.length && isSpaced(this.text.charAt(at - 1))) at++;
    this.known.set(from, at);
    return at;
  }
}

/** Whether a character belongs to a script with spaces between words. */
function isSpaced(sign: string): boolean {
  if (/^[a-z0-9]$/.test(sign)) return true;
  return /[\p{L}\p{N}\p{M}]/u.test(sign) && !isDense(sign);
}

function joined(ranges: readonly Range[]): Range[] {
  const kept: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = kept.at(-1);
    if (last && range.from < last.to) kept[kept.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else kept.push(range);
  }
  return kept.slice(0, MAX_MARKS);
}

const wordStart = (text: string, at: number): number => {
  const space = text.slice(at, at + BEFORE_CHARACTERS).search(/\s/);
  return space === -1 ? at : at + space + 1;
};

function cut(text: string, within: Range, ranges: readonly Range[]): MarkedText[] {
  const pieces: MarkedText[] = [];
  let at = within.from;
  for (const { from, to } of ranges.filter((range) => range.from >= within.from && range.to <= within.to)) {
    pieces.push({ text: text.slice(at, from), found: false }, { text: text.slice(from, to), found: true });
    at = to;
  }
  return [...pieces, { text: text.slice(at, within.to), found: false }].filter((piece) => piece.text !== '');
}
