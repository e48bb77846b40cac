/** What may stand in any order because it happened within the same millisecond, put into one order. */
export function steadyOrder(text: string, known: (text: string) => string): string {
  if (text.startsWith('{')) return inJson(text, known);
  return text.startsWith('<!doctype') ? inPage(text, known) : text;
}

/** Only where the text can be written again to the byte. */
function inJson(text: string, known: (text: string) => string): string {
  const answer = parsed(text);
  if (answer === undefined || JSON.stringify(answer) !== text) return text;
  for (const [name, list] of Object.entries(answer)) {
    if (!Array.isArray(list)) continue;
    const items = list.map((item: unknown) => ({ item, key: known(JSON.stringify(item)) }));
    answer[name] = sortedWithin(items, createdAt).map(({ item }) => item);
  }
  return JSON.stringify(answer);
}

function inPage(page: string, known: (text: string) => string): string {
  const sorted = (rows: string, start: RegExp): string => {
    const items = rows.split(start).map((item) => ({ item, key: known(item) }));
    return sortedWithin(items, shownTime)
      .map(({ item }) => item)
      .join('');
  };
  return page
    .replaceAll(/(?:<tr[ >](?:(?!<\/tr>).)*<\/tr>)+/gs, (rows) => sorted(rows, /(?=<tr[ >])/))
    .replaceAll(/(?:<li class="activity"(?:(?!<\/li>).)*<\/li>)+/gs, (rows) =>
      sorted(rows, /(?=<li class="activity")/),
    );
}

const createdAt = ({ item }: { readonly item: unknown }): string | undefined =>
  (item as { created_at?: string } | null)?.created_at;

const shownTime = ({ item }: { readonly item: string }): string | undefined => /datetime="([^"]+)"/.exec(item)?.[1];

/** Neighbours of the same moment, by their keys; the others stay where they are. */
function sortedWithin<T extends { readonly key: string }>(
  items: readonly T[],
  moment: (item: T) => string | undefined,
): T[] {
  const runs: T[][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    const same = last?.[0] && moment(last[0]) !== undefined && moment(last[0]) === moment(item);
    if (last && same) last.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) => run.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)));
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
