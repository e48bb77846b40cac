import { describe, expect, it } from 'vitest';
import { changesBetween } from './event.page.js';

const record = (fields: object): string => JSON.stringify({ number: 1, priority: null, tags: [], ...fields });

describe('changesBetween', () => {
  it.each([
    ['a value that was added', {}, { priority: 'high' }, [{ field: 'priority', before: '–', after: 'high' }]],
    ['a value that was removed', { priority: 'low' }, {}, [{ field: 'priority', before: 'low', after: '–' }]],
    ['a list that grew', { tags: ['a'] }, { tags: ['a', 'b'] }, [{ field: 'tags', before: 'a', after: 'a, b' }]],
    ['nothing when nothing changed', { priority: 'low' }, { priority: 'low' }, []],
    [
      'nothing when only times and links changed',
      { updated_at: 'x', links: {} },
      { updated_at: 'y', links: { a: 1 } },
      [],
    ],
  ])('returns %s', (_, before, after, changes) => {
    expect(changesBetween(record(before), record(after))).toEqual(changes);
  });
});
