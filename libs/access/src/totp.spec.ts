import { describe, expect, it } from 'vitest';
import { matchingStep, newTotpSecret, normalizeTotpCode, otpauthUri, stepAt, totpCode } from './totp.js';

/** The ASCII text 12345678901234567890 in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1000);

describe('a TOTP code', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('matches appendix B of RFC 6238 at second %i', (seconds, code) => {
    expect(totpCode(SECRET, stepAt(at(seconds)), 8)).toBe(code);
    expect(totpCode(SECRET, stepAt(at(seconds)))).toBe(code.slice(2));
  });

  it.each([
    [-31, null],
    [-30, 1000],
    [-1, 1000],
    [0, 1000],
    [29, 1000],
    [30, 1000],
    [59, 1000],
    [60, null],
  ])('assigns a code read %i seconds after the start of its step to step %s', (seconds, step) => {
    expect(matchingStep(SECRET, totpCode(SECRET, 1000), at(1000 * 30 + seconds))).toBe(step);
  });

  it.each([
    ['123456', '123456'],
    [' 123 456 ', '123456'],
    ['12345', undefined],
    ['1234567', undefined],
    ['12345a', undefined],
    ['', undefined],
    ['١٢٣٤٥٦', undefined],
  ])('normalizes “%s” to %s', (typed, code) => {
    expect(normalizeTotpCode(typed)).toBe(code);
  });
});

describe('a new TOTP secret', () => {
  it('has 160 random bits in base32', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret);

    expect(secrets.filter((secret) => !/^[A-Z2-7]{32}$/.test(secret))).toEqual([]);
    expect(new Set(secrets).size).toBe(50);
  });

  it('appears in the URI with any account name and email', () => {
    const uri = new URL(otpauthUri(SECRET, { account: 'A&B: “Söhne” /?#', email: 'o+1@acme.test' }));

    expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(uri.pathname)).toBe('/Deskwire A&B  “Söhne” /?#:o+1@acme.test');
    expect(Object.fromEntries(uri.searchParams)).toEqual({ secret: SECRET, issuer: 'Deskwire A&B  “Söhne” /?#' });
  });
});
