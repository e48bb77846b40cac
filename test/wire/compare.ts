import type { Entry } from './recording.js';

const AROUND = 60;
const MAX_SHOWN = 240;

/** Every difference in words, in the order of the first recording. */
export function compare(before: readonly Entry[], after: readonly Entry[]): string[] {
  const names = new SameIds();
  const [mine, theirs] = [keyed(before), keyed(after)];
  const gone = [...mine].filter(([key]) => !theirs.has(key)).map(([key]) => `only in the first: ${key}`);
  const come = [...theirs].filter(([key]) => !mine.has(key)).map(([key]) => `only in the second: ${key}`);
  const changed = [...mine].flatMap(([key, entry]) => {
    const other = theirs.get(key);
    const parts = other ? changesOf(entry, other, names) : [];
    return parts.length === 0 ? [] : [[key, ...parts].join('\n    ')];
  });
  return [...gone, ...come, ...changed, ...limits(before, after)];
}

/** One request in a hundred may have been let through without a limit; more than that is a change. */
function limits(before: readonly Entry[], after: readonly Entry[]): string[] {
  const [mine, theirs] = [limitsIn(before), limitsIn(after)];
  const kinds = [...new Set([...mine, ...theirs])].filter(
    (header) => mine.includes(header) !== theirs.includes(header),
  );
  const far = Math.abs(mine.length - theirs.length) * 100 > mine.length;
  const count = far ? [`ratelimit headers: ${mine.length} → ${theirs.length}`] : [];
  return [...kinds.map((header) => `only in one of them: ${header}`), ...count];
}

const limitsIn = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ headers }) => headers.filter((header) => /^ratelimit/i.test(header)));

/** What was asked, and which time: a request that is missing on one side must not shift all that follow. */
function keyed(entries: readonly Entry[]): Map<string, Entry> {
  const times = new Map<string, number>();
  return new Map(
    entries.map((entry) => {
      const { scene, line, about, as } = entry;
      const words = [`[${scene}]`, line.replaceAll(/uuid#\d+/g, 'uuid'), about && `(${about})`, as && `as ${as}`]
        .filter(Boolean)
        .join(' ');
      const time = (times.get(words) ?? 0) + 1;
      times.set(words, time);
      return [time === 1 ? words : `${words} · ${time}`, entry] as const;
    }),
  );
}

function changesOf(one: Entry, other: Entry, names: SameIds): string[] {
  const [mine, theirs] = [steady(one).join('\n'), steady(other).join('\n')];
  return [
    ...(names.same(one.line, other.line) ? [] : [`asked: ${one.line} → ${other.line}`]),
    ...(names.same(one.sent ?? '', other.sent ?? '') ? [] : [`sent: ${firstChange(one.sent ?? '', other.sent ?? '')}`]),
    ...(one.status === other.status ? [] : [`status: ${one.status} → ${other.status}`]),
    ...(names.same(mine, theirs) ? [] : headerChanges(one, other)),
    ...(names.same(one.body, other.body) ? [] : [`body: ${firstChange(one.body, other.body)}`]),
  ];
}

/** Where Redis does not answer within 50 ms, a request passes without being told its limit; `limits` counts those. */
const steady = ({ headers }: Entry): string[] => headers.filter((header) => !/^ratelimit/i.test(header));

function headerChanges(one: Entry, other: Entry): string[] {
  const gone = steady(one)
    .filter((header) => !other.headers.includes(header))
    .map((header) => `header: - ${header}`);
  const come = steady(other)
    .filter((header) => !one.headers.includes(header))
    .map((header) => `header: + ${header}`);
  return [...gone, ...come];
}

function firstChange(one: string, other: string): string {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const lead = one.slice(Math.max(0, start - AROUND), start);
  const cut = (text: string): string => {
    const middle = text.slice(start, text.length - end);
    return middle.length > MAX_SHOWN ? `${middle.slice(0, MAX_SHOWN)}… (${middle.length})` : middle;
  };
  return `at ${start}: …${lead}\n      - ${cut(one)}\n      + ${cut(other)}`;
}

/**
 * Ids are numbered as they turn up, so one more in the middle renumbers all that follow. Two texts are the same when
 * each id of the one stands wherever its partner stands in the other, throughout the recordings.
 */
class SameIds {
  private readonly partners = new Map<string, string>();
  private readonly taken = new Map<string, string>();

  same(one: string, other: string): boolean {
    if (one.replaceAll(/uuid#\d+/g, 'uuid') !== other.replaceAll(/uuid#\d+/g, 'uuid')) return false;
    const theirs = idsIn(other);
    return idsIn(one).every((id, place) => this.pair(id, theirs[place]!));
  }

  private pair(one: string, other: string): boolean {
    const [partner, owner] = [this.partners.get(one), this.taken.get(other)];
    if (partner === undefined && owner === undefined) {
      this.partners.set(one, other);
      this.taken.set(other, one);
      return true;
    }
    return partner === other;
  }
}

const idsIn = (text: string): string[] => text.match(/uuid#\d+/g) ?? [];
