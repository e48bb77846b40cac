import { expect, it } from 'vitest';
import { smallestIdAt, timeOfUuid } from './uuid.js';

it('converts times to bounds between ids and back', () => {
  const monday = Date.parse('2025-11-17T00:00:00Z');

  expect(smallestIdAt(monday)).toBe('019a8f1c-7c00-0000-0000-000000000000');
  expect(timeOfUuid(smallestIdAt(monday)).getTime()).toBe(monday);
});
