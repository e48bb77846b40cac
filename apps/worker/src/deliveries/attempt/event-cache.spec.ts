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

/** Requests the event twice, as two of its deliveries do. */
function keep(cache: EventCache, ...events: LoadedEvent[]): void {
  for (const one of events) {
    cache.getAll([one.id, one.id]);
    cache.offer(one);
  }
}

describe('EventCache', () => {
  it('keeps an event from its second request on', () => {
    const cache = new EventCache();
    expect(cache.getAll(['once']).size).toBe(0);
    cache.offer(event('once'));
    expect(cache.getAll(['once']).size).toBe(0);
    cache.offer(event('once'));
    expect([...cache.getAll(['once']).keys()]).toEqual(['once']);
  });

  it('keeps an event at once when several deliveries are loaded together', () => {
    const cache = new EventCache();
    cache.getAll(['shared', 'alone', 'shared']);
    cache.offer(event('shared'));
    cache.offer(event('alone'));
    expect([...cache.getAll(['shared', 'alone']).keys()]).toEqual(['shared']);
  });

  it('drops old events when newer ones exceed the size limit', () => {
    const cache = new EventCache(100);
    keep(cache, ...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => event(id)));
    expect([...cache.getAll(['a', 'f', 'never']).keys()]).toEqual(['a', 'f']);
    keep(cache, ...['g', 'h', 'i', 'j', 'k', 'l', 'm'].map((id) => event(id)));
    expect([...cache.getAll(['b', 'm']).keys()]).toEqual(['m']);
  });

  it('keeps only the bytes of a body, not the pool that it was cut from', () => {
    const cache = new EventCache();
    keep(cache, { ...event('small'), body: Buffer.from('{"a":1}') });
    const { body } = cache.getAll(['small']).get('small')!;
    expect(body.toString()).toBe('{"a":1}');
    expect(body.buffer.byteLength).toBe(body.length);
  });

  it('keeps events that are still requested', () => {
    const cache = new EventCache(100);
    keep(cache, event('asked for'));
    for (let number = 0; number < 50; number++) {
      keep(cache, event(`${number}`));
      expect(cache.getAll(['asked for']).size).toBe(1);
    }
    expect(cache.getAll(['0']).size).toBe(0);
  });

  it('makes room for the next event, however large it is', () => {
    const cache = new EventCache(100);
    keep(cache, event('large', 60), event('larger', 60));
    expect([...cache.getAll(['large', 'larger']).keys()]).toEqual(['larger']);
  });
});
