import { describe, expect, it } from 'vitest';
import { changesBetween } from './payload-changes.js';

const record = (fields: object): string => JSON.stringify({ number: 1, priority: null, tags: [], ...fields });

describe('what changed between two payloads of a record', () => {
  it.each([
    ['a value that was not there', {}, { priority: 'high' }, [{ field: 'priority', before: '–', after: 'high' }]],
    ['a value that went', { priority: 'low' }, {}, [{ field: 'priority', before: 'low', after: '–' }]],
    ['a list', { tags: ['a'] }, { tags: ['a', 'b'] }, [{ field: 'tags', before: 'a', after: 'a, b' }]],
    ['nothing', { priority: 'low' }, { priority: 'low' }, []],
    ['only when and where it stands', { updated_at: 'x', links: {} }, { updated_at: 'y', links: { a: 1 } }, []],
  ])('tells %s', (_, before, after, changes) => {
    expect(changesBetween(record(before), record(after))).toEqual(changes);
  });
});
