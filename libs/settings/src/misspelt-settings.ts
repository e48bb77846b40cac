import type { Environment } from './setting.js';
import { SECRETS, SETTINGS } from './settings.js';

/** Shorter names, such as `HOME` and `HOST`, differ too little to recognize a typo. */
const MIN_LENGTH = 7;
const MAX_TYPOS = 2;

const KNOWN = [...Object.keys(SETTINGS), ...SECRETS.map((name) => `${name}_FILE`)];

/** Returns a warning for each variable whose name resembles a setting, such as `WORKER_CONCURENCY` or `WEBHOOK_TIMEOUT`. */
export function misspeltSettings(environment: Environment = process.env): string[] {
  const unknown = Object.keys(environment).filter((name) => name.length >= MIN_LENGTH && !KNOWN.includes(name));
  return unknown.sort().flatMap((name) => {
    const suggestion = suggestionFor(name.toUpperCase());
    return suggestion === undefined ? [] : [`${name} is not a setting and is ignored. Did you mean ${suggestion}?`];
  });
}

function suggestionFor(name: string): string | undefined {
  const unfinished = KNOWN.find((one) => name.includes('_') && one.startsWith(`${name}_`));
  if (unfinished !== undefined) return unfinished;
  const near = KNOWN.filter((one) => one.length >= MIN_LENGTH && Math.abs(one.length - name.length) <= MAX_TYPOS)
    .map((one) => ({ one, typos: editDistance(name, one) }))
    .filter(({ typos }) => typos <= MAX_TYPOS)
    .sort((a, b) => a.typos - b.typos);
  return near[0]?.one;
}

/** The Levenshtein distance, if it is at most MAX_TYPOS. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of from.split('').entries()) {
    const next = [i + 1];
    for (const [j, other] of to.split('').entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === other ? 0 : 1)));
    if (Math.min(...next) > MAX_TYPOS) return Infinity;
    row = next;
  }
  return row[to.length]!;
}
