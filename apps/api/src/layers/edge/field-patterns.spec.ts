import { describe, expect, it } from 'vitest';
import { EMAIL, TIME } from './field-patterns.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function exists(year: number, month: number, day: number): boolean {
  const read = new Date(Date.UTC(year, month - 1, day));
  return read.getUTCMonth() === month - 1 && read.getUTCDate() === day;
}

describe('TIME', () => {
  // Covers 2000, which has a leap day, and 2100, which has none.
  it('matches exactly the dates that exist', () => {
    const wrong: string[] = [];
    for (let year = 1970; year <= 2104; year++)
      for (let month = 1; month <= 12; month++)
        for (let day = 1; day <= 31; day++) {
          const iso = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
          for (const text of [iso, `${iso}T10:00:00Z`, `${day} ${MONTHS[month - 1]} ${year} 10:00:00 GMT`])
            if (TIME.test(text) !== exists(year, month, day)) wrong.push(text);
        }

    expect(wrong).toEqual([]);
  });

  it.each(['2026-00-10', '2026-13-10', '2026-01-00', '2026-01-32', '1969-12-31', '0 Jan 2026 10:00 GMT'])(
    'does not match %s',
    (text) => {
      expect(TIME.test(text)).toBe(false);
    },
  );

  it.each(['2400-02-29', '9996-02-29'])('matches the distant date %s', (text) => {
    expect(TIME.test(text)).toBe(true);
  });
});

describe('EMAIL', () => {
  it.each(['a@b.test', '"a b"@c.test', 'Änne@straße.example', `${'x'.repeat(80)}@reply.example.com`])(
    'matches %s',
    (text) => {
      expect(EMAIL.test(text)).toBe(true);
    },
  );

  it.each(['a', 'a@b', 'a b@c.test', 'a@b@c.test', '.a@b.test', 'a@b.test\n'])('does not match %j', (text) => {
    expect(EMAIL.test(text)).toBe(false);
  });
});
