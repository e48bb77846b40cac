import { Header } from '#libs/mail';
import { describe, expect, it } from 'vitest';
import { parseMail } from './parse-mail.js';
import { claimedVerdicts, isSenderDoubtful, provenDomain, verdictsOf } from './sender-verdicts.js';

const RECEIVED = 'Received: from mx.client.test by mx.acme.test; Mon, 3 Mar 2025 10:11:12 +0100';

/** Text without a name is a value of Authentication-Results. */
const claimedIn = (headers: readonly string[]) => {
  const lines = headers.map((text) => (/^[\w-]+ ?:/.test(text) ? text : `Authentication-Results: ${text}`));
  const { header } = Header.read(Buffer.from(`Subject: x\r\n${lines.join('\r\n')}\r\n\r\n`));
  return claimedVerdicts(header.fieldsOf('authentication-results', 'received'));
};
const judged = (headers: readonly string[], authservId: string | null = 'mx.acme.test') =>
  verdictsOf(claimedIn(headers), authservId);

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
    [
      'in headers of several programs, with other fields between them',
      ['Received-SPF: pass', 'mx.acme.test; dmarc=fail', 'DKIM-Filter: OpenDKIM', 'mx.acme.test; dkim=pass', RECEIVED],
      { spf: null, dkim: 'pass', dmarc: 'fail' },
    ],
    [
      'below the fields of servers behind it',
      [
        RECEIVED,
        'mx.other.test; dmarc=fail',
        RECEIVED,
        'mx.acme.test; dmarc=pass',
        'mx.acme.test (amavisd-new); dkim=pass',
      ],
      { spf: null, dkim: 'pass', dmarc: 'pass' },
    ],
    ['above the next Received', ['mx.acme.test; dkim=fail', RECEIVED, ALL], { spf: null, dkim: 'fail', dmarc: null }],
    [
      'above the header of another server',
      ['mx.acme.test; dkim=fail', 'mx.other.test; spf=pass', ALL],
      { spf: null, dkim: 'fail', dmarc: null },
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

  it.each([
    ['in quotes', '"mx.acme.test"; dmarc=pass'],
    ['after a comment', '(x) mx.acme.test; dmarc=pass'],
    ['before a comment without a blank', 'mx.acme.test(x); dmarc=pass'],
    ['after a space that is not ASCII', '\u00a0mx.acme.test; dmarc=pass'],
    ['after a blank before the colon', 'Authentication-Results : mx.acme.test; dmarc=pass'],
    [
      'below a line that ends the header for other programs',
      'X: y\r\nA broken line\r\nAuthentication-Results: mx.acme.test; dmarc=pass',
    ],
  ])('returns no results and no domain if a header has the server’s name %s', (_, forged) => {
    for (const headers of [[forged], [ALL, forged]]) {
      expect(judged(headers)).toBeNull();
      expect(provenDomain(claimedIn(headers), 'mx.acme.test')).toBeNull();
      expect(isSenderDoubtful(claimedIn(headers), 'mx.acme.test')).toBe(true);
    }
  });

  it('returns no results if the name is equal only in another case of Unicode', () => {
    expect(judged(['mx.\u212aim.test; dmarc=pass'], 'mx.kim.test')).toBeNull();
  });

  it('ignores a name that is only written in the charset of the mail', () => {
    const header =
      'Content-Type: text/plain; charset=utf-7\r\nAuthentication-Results: +AG0-x.a.test; dmarc=pass; \u001b';
    const { authentication } = parseMail(Buffer.from(`${header}\r\n\r\nHello`), null);

    expect(verdictsOf(authentication, 'mx.a.test')).toBeNull();
  });

  it.each([
    ['dmarc=fail', true],
    ['dmarc=permerror', true],
    ['dmarc=pass; dmarc=pass', true],
    ['dmarc=pass', false],
    ['dmarc=none', false],
    ['dmarc=temperror', false],
    ['spf=fail; dkim=fail', false],
  ])('with %s makes a sender doubtful: %j', (results, expected) => {
    expect(isSenderDoubtful(claimedIn([`mx.acme.test; ${results}`]), 'mx.acme.test')).toBe(expected);
    expect(isSenderDoubtful(claimedIn([`mx.acme.test; ${results}`]), null)).toBe(false);
  });

  it('needs a mailbox with a named server', () => {
    expect(judged([ALL, '; dmarc=pass'], null)).toBeNull();
  });
});

const proven = (...results: readonly string[]) =>
  provenDomain(claimedIn(results.map((result) => `mx.a; ${result}`)), 'mx.a');

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
