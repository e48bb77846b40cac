import { normalized } from '../normalized.js';

/** Letters with a case, so that a name ends where Japanese or Arabic text goes on: `@anaさん`. Not the `s` of `@ana's`. */
const PART = String.raw`(?:[\p{LC}\p{N}\p{M}._%+-]|'(?!s\b)){0,63}[\p{LC}\p{N}\p{M}]`;
const DOMAIN = String.raw`(?:@[\p{LC}\p{N}.-]{0,252}[\p{LC}\p{N}])?`;

/** `@ana` or `@ana@desk.example`, but not inside a word, an email address or a URL. The first group is the name. */
export const MENTION = new RegExp(String.raw`(?<![\p{LC}\p{N}\p{M}._%+@/-])@(${PART}${DOMAIN})`, 'gu');

/** Limits the work for one note. */
const MAX_HANDLES = 50;

const handleOf = (name: string): string => normalized(name, 'NFC').toLowerCase();

/** The emails, or their parts before the `@`, that a note mentions. */
export function handlesIn(text: string): string[] {
  const handles = new Set([...text.matchAll(MENTION)].map(([, name = '']) => handleOf(name)));
  return [...handles].slice(0, MAX_HANDLES);
}

export function mentionsOneOf(emails: readonly string[], name: string): boolean {
  const handle = handleOf(name);
  return emails.some((email) => email === handle || email.startsWith(`${handle}@`));
}
