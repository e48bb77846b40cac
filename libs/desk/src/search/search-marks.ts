import { fold } from './fold.js';
import type { SoughtPart } from './search-part.js';
import { type Word, isDense } from './words.js';

/** A piece of a text: what was looked for, or what stands around it. */
export interface MarkedText {
  readonly text: string;
  readonly found: boolean;
}

/** More places of one text are not shown. */
const MOST_MARKS = 50;
const BEFORE_CHARACTERS = 40;
const EXCERPT_CHARACTERS = 180;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Shows where the words of a search stand in a text: the text as it was written, the words as they are compared. */
export class SearchMarks {
  private readonly needles: readonly string[];

  constructor(parts: readonly SoughtPart[]) {
    this.needles = [...new Set(parts.flatMap(needlesOf))];
  }

  whole(text: string): MarkedText[] {
    return cut(text, { from: 0, to: text.length }, this.rangesIn(text));
  }

  /** What stands around the first place; null where there is none. */
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
    const found = this.needles.flatMap((needle) =>
      placesOf(needle, folded).map((at) => ({ at, end: at + needle.length })),
    );
    return joined(
      found.map(({ at, end }) => ({ from: places?.[at] ?? at, to: places ? (places[end] ?? text.length) : end })),
    );
  }
}

/** A run of signs is put together again from its pairs. */
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

/** Folded sign by sign, so that each knows where it came from. Plain text keeps its places. */
function foldInPlace(text: string): { folded: string; places: readonly number[] | null } {
  if (/^[ -~\s]*$/.test(text)) return { folded: text.toLowerCase(), places: null };
  let folded = '';
  const places: number[] = [];
  let at = 0;
  for (const sign of text) {
    const same = fold(sign);
    for (let place = 0; place < same.length; place++) places.push(at);
    folded += same;
    at += sign.length;
  }
  return { folded, places };
}

function placesOf(needle: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(needle); at !== -1 && places.length < MOST_MARKS; at = text.indexOf(needle, at + 1))
    if (isDense(needle) || !isWithinWord(text, at)) places.push(at);
  return places;
}

function isWithinWord(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  return /[\p{L}\p{N}\p{M}]/u.test(before) && !isDense(before);
}

/** In the order of the text, none of them within another. */
function joined(ranges: readonly Range[]): Range[] {
  const kept: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = kept.at(-1);
    if (last && range.from < last.to) kept[kept.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else kept.push(range);
  }
  return kept.slice(0, MOST_MARKS);
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
