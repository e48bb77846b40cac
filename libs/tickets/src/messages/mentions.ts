import { normalized } from '../normalized.js';

/** Letters with a case, so that a name ends where Japanese or Arabic text goes on: `@anaさん`. Not the `s` of `@ana's`. */
const PART = String.raw`(?:[\p{LC}\p{N}\p{M}._%+-]|'(?!s\b)){0,63}[\p{LC}\p{N}\p{M}]`;
const DOMAIN = String.raw`(?:@[\p{LC}\p{N}.-]{0,252}[\p{LC}\p{N}])?`;

/** `@ana` or `@ana@desk.example`, but not inside a word, an email address or a URL. The first group is the name. */
export const MENTION = new RegExp(String.raw`(?<![\p{LC}\p{N}\p{M}._%+@/-])@(${PART}${DOMAIN})`, 'gu');

/** Limits the work for one note. */
const MAX_HANDLES = 50;

const typedName = (name: string): string => normalized(name, 'NFC');
const handleOf = (name: string): string => typedName(name).toLowerCase();

/** The emails, their parts before the `@` and the names that a note mentions, in lower case, with what was typed. */
export function handlesIn(text: string): [handle: string, typed: string][] {
  const handles = new Map<string, string>();
  for (const [, name = ''] of text.matchAll(MENTION)) {
    const typed = typedName(name);
    handles.set(typed.toLowerCase(), typed);
    if (handles.size === MAX_HANDLES) break;
  }
  return [...handles];
}

/** `mentioned` are the emails and names of agents. */
export function mentionsOneOf(mentioned: readonly string[], name: string): boolean {
  const handle = handleOf(name);
  return mentioned.some((other) => handleOf(other) === handle || other.startsWith(`${handle}@`));
}
