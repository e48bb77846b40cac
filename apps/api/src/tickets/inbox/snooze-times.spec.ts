import { describe, expect, it } from 'vitest';
import { chosenTime, sendChoices } from './snooze-times.js';

const NOW = new Date('2026-11-25T20:00:00Z');

describe('sendChoices', () => {
  it.each([
    ['2026-11-25T20:00:00Z', 'Asia/Tokyo', ['Send tomorrow, 27 Nov, 09:00', 'Send Monday, 30 Nov, 09:00']],
    ['2026-11-30T08:00:00Z', 'UTC', ['Send tomorrow, 1 Dec, 09:00', 'Send Monday, 7 Dec, 09:00']],
    ['2026-11-29T08:00:00Z', 'UTC', ['Send tomorrow, 30 Nov, 09:00']],
  ])('at %s in %s are %j', (now, timeZone, labels) => {
    expect(sendChoices(new Date(now), timeZone).map(({ label }) => label)).toEqual(labels);
  });
});

describe('chosenTime', () => {
  it.each([
    ['hours', 'UTC', '2026-11-25T23:00:00Z'],
    ['tomorrow', 'UTC', '2026-11-26T09:00:00Z'],
    ['tomorrow', 'Europe/Berlin', '2026-11-26T08:00:00Z'],
    // It is the 26th there.
    ['tomorrow', 'Asia/Tokyo', '2026-11-27T00:00:00Z'],
    ['monday', 'UTC', '2026-11-30T09:00:00Z'],
    ['2026-12-24T18:30', 'America/New_York', '2026-12-24T23:30:00Z'],
    // Across the change to summer time.
    ['2027-03-28T09:00', 'Europe/Berlin', '2027-03-28T07:00:00Z'],
  ])('parses %s in %s as %s', (wanted, timeZone, at) => {
    expect(chosenTime(wanted, NOW, timeZone)).toEqual(new Date(at));
  });

  it.each([
    ['2026-11-30T08:00:00Z', '2026-12-07T09:00:00Z'],
    ['2026-11-29T08:00:00Z', '2026-11-30T09:00:00Z'],
  ])('parses the Monday after %s as %s', (now, at) => {
    expect(chosenTime('monday', new Date(now), 'UTC')).toEqual(new Date(at));
  });

  it.each(['', 'soon', '2026-13-45T99:99'])('rejects %j', (wanted) => {
    expect(() => chosenTime(wanted, NOW, 'UTC')).toThrow('Choose a date and a time');
  });
});
