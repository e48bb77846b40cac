import { describe, expect, it } from 'vitest';
import type { LoadedEvent } from './due-delivery.js';
import { EventCache } from './event-cache.js';

const event = (id: string, bytes = 10): LoadedEvent => ({
  id,
  sequence: '1',
  body: Buffer.alloc(bytes),
  test: false,
  requestId: null,
  createdAt: new Date(0),
});

describe('the events that were loaded', () => {
  it('are known until there are too many bytes of younger ones', () => {
    const cache = new EventCache(100);
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) cache.keep(event(id));
    expect([...cache.known(['a', 'f', 'never']).keys()]).toEqual(['a', 'f']);
    for (const id of ['g', 'h', 'i', 'j', 'k', 'l', 'm']) cache.keep(event(id));
    expect([...cache.known(['b', 'm']).keys()]).toEqual(['m']);
  });

  it('stay for as long as they are asked for', () => {
    const cache = new EventCache(100);
    cache.keep(event('asked for'));
    for (let number = 0; number < 50; number++) {
      cache.keep(event(`${number}`));
      expect(cache.known(['asked for']).size).toBe(1);
    }
    expect(cache.known(['0']).size).toBe(0);
  });

  it('give way to the next, however large it is', () => {
    const cache = new EventCache(100);
    cache.keep(event('large', 60));
    cache.keep(event('larger', 60));
    expect([...cache.known(['large', 'larger']).keys()]).toEqual(['larger']);
  });
});
