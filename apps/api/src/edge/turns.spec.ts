import { describe, expect, it } from 'vitest';
import { Turns } from './turns.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function startTurns() {
  const turns = new Turns();
  const begun: string[] = [];
  const refused: string[] = [];
  const gone = new Set<string>();
  const turnOf = (name: string, begin = () => {}) => ({
    lane: () => name.charAt(0),
    begin: () => {
      begun.push(name);
      begin();
    },
    refuse: () => void refused.push(name),
    isGone: () => gone.has(name),
  });
  const take = (...names: string[]): void => names.forEach((name) => turns.take(turnOf(name)));
  return { turns, begun, refused, gone, turnOf, take };
}

function busy(): void {
  const until = performance.now() + 11;
  while (performance.now() < until);
}

const many = (lane: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${lane}${index}`);

describe('Requests that come at once', () => {
  it('are begun at once while they are few', () => {
    const { begun, take } = startTurns();
    take(...many('a', 8));

    expect(begun).toEqual(many('a', 8));
  });

  it('take turns by address when they are many', async () => {
    const { begun, take } = startTurns();
    take(...many('a', 12), 'b0', 'c0');
    await turn();

    expect(begun.slice(8)).toEqual(['a8', 'b0', 'c0', 'a9', 'a10', 'a11']);
  });

  it('are begun at once again in the next turn', async () => {
    const { begun, take } = startTurns();
    take(...many('a', 9));
    await turn();
    take('b0');

    expect(begun.at(-1)).toBe('b0');
  });

  it('let connections go first, but not for ever', async () => {
    const { turns, begun, take } = startTurns();
    take(...many('a', 10));
    const since = performance.now();
    turns.connected();
    await turn();
    expect(begun).toEqual(many('a', 8));

    while (begun.length < 10) {
      turns.connected();
      await turn();
    }
    expect(performance.now() - since).toBeGreaterThanOrEqual(500);
  });

  it('leave the event loop to others after a while', async () => {
    const { turns, begun, turnOf, take } = startTurns();
    take(...many('a', 8));
    turns.take(turnOf('slow', busy));
    take('a9');
    await turn();
    expect(begun.at(-1)).toBe('slow');
    await turn();
    expect(begun.at(-1)).toBe('a9');
  });

  it('are not begun when the client has gone before its turn', async () => {
    const { begun, gone, take } = startTurns();
    take(...many('a', 11));
    gone.add('a8').add('a9');
    await turn();

    expect(begun.slice(8)).toEqual(['a10']);
  });

  it('are refused when too many of one address wait, and those of others are not', async () => {
    const { begun, refused, take } = startTurns();
    take(...many('a', 8 + 5_000), 'a-late', 'b0');
    await turn();

    expect(refused).toEqual(['a-late']);
    expect(begun.slice(8, 10)).toEqual(['a8', 'b0']);
  });
});
