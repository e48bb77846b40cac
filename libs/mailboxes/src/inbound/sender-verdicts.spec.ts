import { describe, expect, it } from 'vitest';
import { claimedVerdicts, provenDomain, verdictsOf } from './sender-verdicts.js';

const judged = (headers: readonly string[], authservId: string | null = 'mx.acme.test') =>
  verdictsOf(claimedVerdicts(headers), authservId);

const ALL = 'mx.acme.test; spf=pass smtp.mailfrom=a.test; dkim=pass header.d=a.test; dmarc=pass header.from=a.test';
const PASSED = { spf: 'pass', dkim: 'pass', dmarc: 'pass' };

describe('the verdict on a sender', () => {
  it.each([
    ['of all three checks', [ALL], PASSED],
    [
      'with a version, comments and upper case',
      ['MX.acme.test 1; SPF=Pass (a; (dmarc=fail) b) x.y=z; dkim/1 = pass'],
      { spf: 'pass', dkim: 'pass', dmarc: null },
    ],
    [
      'in a header of each program',
      ['mx.acme.test; dmarc=fail', 'mx.acme.test; dkim=pass; spf=softfail'],
      { spf: 'softfail', dkim: 'pass', dmarc: 'fail' },
    ],
    ['of the topmost of two headers', ['mx.acme.test; dmarc=fail', ALL], { spf: 'pass', dkim: 'pass', dmarc: 'fail' }],
    [
      'with one valid signature of several, as a pass',
      ['mx.acme.test; dkim=fail; dkim=pass; dkim=fail'],
      { spf: null, dkim: 'pass', dmarc: null },
    ],
    ['of a server that checked nothing, as null', ['mx.acme.test; none'], { spf: null, dkim: null, dmarc: null }],
    [
      'without a name, as null',
      ['mx.acme.test; dmarc=excellent; spf=; =pass; dkim'],
      { spf: null, dkim: null, dmarc: null },
    ],
  ])('contains the results %s', (_, headers, expected) => {
    expect(judged(headers)).toEqual(expected);
  });

  it.each([
    ['another server', ['mx.other.test; dmarc=pass']],
    ['one whose name only begins like it', ['mx.acme.test.evil.test; dmarc=pass']],
    ['one that hides its name in a comment', ['(mx.acme.test; dmarc=pass) evil.test; dmarc=pass']],
    ['no server', []],
  ])('ignores results of %s', (_, headers) => {
    expect(judged(headers)).toBeNull();
  });

  it('needs a mailbox with a named server', () => {
    expect(judged([ALL, '; dmarc=pass'], null)).toBeNull();
  });
});

const proven = (...results: readonly string[]) =>
  provenDomain(claimedVerdicts(results.map((result) => `mx.a; ${result}`)), 'mx.a');

describe('the domain verified by DMARC', () => {
  it.each([
    ['dmarc=pass (p=reject) header.from=a.test', 'a.test'],
    ['dmarc=pass header.from="a.test"', 'a.test'],
    ['spf=pass smtp.mailfrom="x;y@e.test"; dmarc=pass header.from=a.test', 'a.test'],
    ['dmarc=pass reason="it is \\" fine" header.from=a.test', 'a.test'],
    ['dmarc=pass (of \\) a; b) header.from=a.test', 'a.test'],
    ['dmarc=fail header.from=a.test', null],
    ['dmarc=pass', null],
    ['dmarc=pass reason=" header.from=a.test z"', null],
    ['dmarc=pass reason=" header.from=a.test z" header.from=e.test', 'e.test'],
    ['dmarc=pass reason="x\\" header.from=a.test z" header.from=e.test', 'e.test'],
    ['dmarc=pass header.from=a.test header.from=e.test', null],
    ['dmarc=pass header.from=a.test; dmarc=pass header.from=e.test', null],
    ['dmarc=pass header.from=a.test; dmarc/1=fail', null],
    ['spf=fail smtp.mailfrom=x\\";dmarc=pass header.from=a.test ;dmarc=fail header.from=e.test', null],
    ['spf=fail smtp.mailfrom=x\\";dmarc=pass header.from=a.test', null],
    ['spf=fail (x; dmarc=pass header.from=a.test', null],
  ])('parses %s as %j', (result, domain) => {
    expect(proven(result)).toBe(domain);
  });

  it('returns no domain for a header with two results, whatever the header below it contains', () => {
    const twice = 'dmarc=pass header.from=a.test; dmarc=pass header.from=e.test';

    expect(proven(twice, 'dmarc=pass header.from=a.test')).toBeNull();
  });

  it('reads a long header within a second', () => {
    const long = `dmarc=pass ${'header.from=a.test '.repeat(20_000)}${'("\\'.repeat(20_000)}`;
    const started = performance.now();

    expect(proven(long)).toBeNull();
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
