const VOCABULARY = 400;
const NAMES = 60;

export interface Random {
  /** An integer from 0 up to but excluding `most`. */
  below(most: number): number;
  /** A word; few are common and most are rare. */
  word(): string;
  name(): string;
  search(): string;
}

/** Returns the same sequence for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number): number => Math.floor(fraction() * most);
  const word = (): string => `w${Math.floor(VOCABULARY * fraction() ** 3).toString(36)}`;
  const name = (): string => `n${Math.floor(NAMES * fraction() ** 2).toString(36)}`;
  const part = (): string => PARTS[below(PARTS.length)]!({ below, word, name });
  const search = (): string =>
    SPECIAL[below(SPECIAL.length * 5)] ?? Array.from({ length: 1 + below(3) }, part).join(' ');
  return { below, word, name, search };
}

const PARTS: readonly ((random: Pick<Random, 'below' | 'word' | 'name'>) => string)[] = [
  ({ word }) => word(),
  ({ word }) => word(),
  ({ word }) => `-${word()}`,
  ({ word }) => `"${word()} ${word()}"`,
  ({ name }) => name(),
  ({ name }) => `from:${name()}`,
  ({ below }) => `${1 + below(3_000)}`,
  ({ below }) => `tag:t${below(5)}`,
];

/** Names that many tickets share, with older customers that have few. */
const SPECIAL = ['kim lee', 'from:kim from:lee', 'kim lee w1', 'kim', 'lee -kim'];
