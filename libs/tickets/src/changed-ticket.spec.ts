import { describe, expect, it } from 'vitest';
import { type UndoableValues, changedTicket, wayBack } from './changed-ticket.js';

const way = (was: UndoableValues, left: UndoableValues, now: UndoableValues) => wayBack(now, { was, left });

describe('What an action changed', () => {
  it('is what differs, and tags are a set whose case says nothing', () => {
    const was = { state: 'opened', tags: ['a', 'B'], priority: null } as const;
    const left = { state: 'closed', tags: ['b', 'A'], priority: null } as const;

    expect(changedTicket(1, was, left)).toEqual({ number: 1, was: { state: 'opened' }, left: { state: 'closed' } });
  });

  it('comes back where nobody changed it since, and is left alone elsewhere', () => {
    const was = { state: 'opened', assignee: null } as const;
    const left = { state: 'closed', assignee: 'noah' } as const;

    expect(way(was, left, left)).toEqual({ back: was, leftAlone: [] });
    expect(way(was, left, { state: 'unread', assignee: 'noah' })).toEqual({
      back: { assignee: null },
      leftAlone: ['state'],
    });
  });

  it.each([
    [['a'], ['a', 'b'], ['a', 'b'], ['a']],
    [['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'c']],
    [['a'], ['a', 'b'], ['B', 'c'], ['c']],
    [['a', 'b'], ['a'], ['a', 'c'], ['a', 'c', 'b']],
    [['a', 'b'], ['a'], [], ['b']],
  ])('of tags %j, which became %j and are %j now, makes %j', (was, left, now, back) => {
    expect(way({ tags: was }, { tags: left }, { tags: now })).toEqual({ back: { tags: back }, leftAlone: [] });
  });
});
