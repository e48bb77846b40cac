import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.js';

const KNOWN = ['state', 'assignee', 'assigned_group', 'tag', 'tags', 'q', 'per_page', 'created_since'];

it.each([
  ['status', 'state'],
  ['State', 'state'],
  ['asignee', 'assignee'],
  ['assignedGroup', 'assigned_group'],
  ['tagz', 'tag'],
  ['tagss', 'tags'],
  ['perpage', 'per_page'],
  ['created_sinc', 'created_since'],
  ['since', undefined],
  ['x', undefined],
  ['', undefined],
  ['folder', undefined],
  ['constructor', undefined],
])('finds a name that is written almost the same: %s, %s', (name, nearest) => {
  expect(nearestName(name, KNOWN)).toBe(nearest);
});
