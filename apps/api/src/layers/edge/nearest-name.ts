/** Undefined if more than three letters or a third of them differ. Slow for long names. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const ranked = [...known].map((other) => ({ other, edits: editsBetween(name, other) }));
  const [nearest] = ranked.toSorted((one, two) => one.edits - two.edits);
  return nearest && nearest.edits <= Math.min(3, name.length / 3) ? nearest.other : undefined;
}

/** The Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  const next = (above: readonly number[], letter: string, row: number): number[] => {
    const line = [row + 1];
    for (let at = 0; at < other.length; at++)
      line.push(Math.min(line[at]! + 1, above[at + 1]! + 1, above[at]! + Number(letter !== other[at])));
    return line;
  };
  const first = Array.from({ length: other.length + 1 }, (_, at) => at);
  return Array.from(one).reduce(next, first).at(-1)!;
}
