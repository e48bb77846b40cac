import { describe, expect, it } from 'vitest';
import { type UndoableValues, changedTicket, valuesToUndo } from './ticket-changes.js';

const way = (was: UndoableValues, left: UndoableValues, now: UndoableValues) => valuesToUndo(now, { was, left });

describe('undo', () => {
  it('compares tags as a set and ignores their case', () => {
    const was = { state: 'opened', tags: ['a', 'B'], priority: null } as const;
    const left = { state: 'closed', tags: ['b', 'A'], priority: null } as const;

    expect(changedTicket(1, was, left)).toEqual({ number: 1, was: { state: 'opened' }, left: { state: 'closed' } });
  });

  it('restores values without later changes and skips the others', () => {
    const was = { state: 'opened', assignee: null } as const;
    const left = { state: 'closed', assignee: 'noah' } as const;

    expect(way(was, left, left)).toEqual({ restored: was, changedSince: [] });
    expect(way(was, left, { state: 'unread', assignee: 'noah' })).toEqual({
      restored: { assignee: null },
      changedSince: ['state'],
    });
  });

  it.each([
    [['a'], ['a', 'b'], ['a', 'b'], ['a']],
    [['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'c']],
    [['a'], ['a', 'b'], ['B', 'c'], ['c']],
    [['a', 'b'], ['a'], ['a', 'c'], ['a', 'c', 'b']],
    [['a', 'b'], ['a'], [], ['b']],
  ])('restores tags %j, which became %j and are now %j, to %j', (was, left, now, back) => {
    expect(way({ tags: was }, { tags: left }, { tags: now })).toEqual({ restored: { tags: back }, changedSince: [] });
  });
});
