import { describe, expect, it } from 'vitest';
import { EMAIL, HTTPS_ADDRESS, TIME } from './field-patterns.js';

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
  it.each([
    'a@b.test',
    '"a b"@c.test',
    'Änne@straße.example',
    'o’neil@c.test',
    'a@xn--bcher-kva.xn--p1ai',
    `${'x'.repeat(80)}@reply.example.com`,
  ])('matches %s', (text) => {
    expect(EMAIL.test(text)).toBe(true);
  });

  it.each(['a', 'a@b', 'a b@c.test', 'a@b@c.test', '.a@b.test', 'a@b.test\n'])('does not match %j', (text) => {
    expect(EMAIL.test(text)).toBe(false);
  });

  it('does not match a space or line break of any script outside of quotation marks', () => {
    const spaces = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
      /\s/.test(sign),
    );
    const matched = spaces.filter((sign) => EMAIL.test(`a${sign}b@c.test`) || EMAIL.test(`a@b${sign}c.test`));

    expect(spaces).toContain('\u3000');
    expect(matched.map(encodeURIComponent)).toEqual([]);
  });
});

describe('HTTPS_ADDRESS', () => {
  it.each([
    'https://login.example.com/token',
    'https://login.example.com:443',
    'https://login.example.com:64999/token',
    'https://login.example.com:65000/token',
    'https://login.example.com:65535/token',
    'https://xn--bcher-kva.example/token',
    'https://login.xn--p1ai/token',
  ])('matches %s', (text) => {
    expect(HTTPS_ADDRESS.test(text)).toBe(true);
  });

  it.each([
    'http://login.example.com/token',
    'https://localhost/token',
    'https://127.0.0.1/token',
    'https://user@login.example.com/token',
    'https://-login.example.com/token',
    'https://login.example.com:0/token',
    'https://login.example.com:65536/token',
    'https://login.example.com:70000/token',
  ])('does not match %s', (text) => {
    expect(HTTPS_ADDRESS.test(text)).toBe(false);
  });
});
