import { describe, expect, it } from 'vitest';
import { Turns } from './turns.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function startTurns() {
  const turns = new Turns();
  const begun: string[] = [];
  const take = (...names: string[]): void => {
    for (const name of names)
      turns.take(
        () => name.charAt(0),
        () => begun.push(name),
      );
  };
  return { turns, begun, take };
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
    expect(performance.now() - since).toBeGreaterThanOrEqual(50);
  });

  it('leave the event loop to others after a while', async () => {
    const { turns, begun, take } = startTurns();
    take(...many('a', 8));
    const busy = (name: string) => () => {
      begun.push(name);
      const until = performance.now() + 11;
      while (performance.now() < until);
    };
    turns.take(() => 'a', busy('slow'));
    take('a9');
    await turn();
    expect(begun.at(-1)).toBe('slow');
    await turn();
    expect(begun.at(-1)).toBe('a9');
  });
});
