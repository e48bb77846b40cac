import type { Environment } from './setting.js';

/** Shorter names, such as `HOME` and `HOST`, differ by too little to tell a slip from another variable. */
const MIN_LENGTH = 7;
const MAX_SLIPS = 2;

/** A warning for each variable that is not a setting but nearly is: `WORKER_CONCURENCY`, or `WEBHOOK_TIMEOUT` without its unit. */
export function warningsOfMisspelt(environment: Environment, known: readonly string[]): string[] {
  const unknown = Object.keys(environment).filter((name) => name.length >= MIN_LENGTH && !known.includes(name));
  return unknown.sort().flatMap((name) => {
    const suggestion = suggestionFor(name.toUpperCase(), known);
    return suggestion === undefined ? [] : [`${name} is not a setting and is ignored. Did you mean ${suggestion}?`];
  });
}

function suggestionFor(name: string, known: readonly string[]): string | undefined {
  const begun = known.find((one) => name.includes('_') && one.startsWith(`${name}_`));
  if (begun !== undefined) return begun;
  const near = known
    .filter((one) => one.length >= MIN_LENGTH && Math.abs(one.length - name.length) <= MAX_SLIPS)
    .map((one) => ({ one, slips: editDistance(name, one) }))
    .filter(({ slips }) => slips <= MAX_SLIPS)
    .sort((a, b) => a.slips - b.slips);
  return near[0]?.one;
}

/** Levenshtein: letters to insert, remove or replace. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of from.split('').entries()) {
    const next = [i + 1];
    for (const [j, other] of to.split('').entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === other ? 0 : 1)));
    row = next;
  }
  return row[to.length]!;
}
