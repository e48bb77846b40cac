import { describe, expect, it } from 'vitest';
import { type ParsedMail, isAutomatic, parseMail } from './parse-mail.js';

const read = (...lines: readonly string[]): ParsedMail => parseMail(Buffer.from(lines.join('\r\n')), null);

const mixed = (...parts: readonly (readonly string[])[]): string[] => [
  'Content-Type: multipart/mixed; boundary=b',
  '',
  ...parts.flatMap((part) => ['--b', ...part]),
  '--b--',
];
const HTML = ['Content-Type: text/html; charset=utf-8', '', '<title>A page</title><p>Grüße</p>'];

describe('a parsed mail', () => {
  it('has the values of its header', () => {
    const mail = read(
      'From: =?iso-8859-1?Q?Ana_L=F3pez?= <Ana@Client.test>',
      'To: Friends: b@client.test, c@client.test;, =?utf-8?Q?d=40client.test?=',
      'Subject: =?utf-8?B?R3LDvMOfZSDw?=',
      ' =?utf-8?B?n5iA?=',
      'Message-ID: <1@client.test>',
      'In-Reply-To: =?utf-8?q?=3C0=40desk=2E?= =?utf-8?q?test=3E?=',
      'References: <a@desk.test>',
      'References: <b@desk.test>',
      '',
      'Hello',
    );

    expect(mail).toMatchObject({
      from: { address: 'ana@client.test', name: 'Ana López' },
      recipients: ['b@client.test', 'c@client.test', 'd@client.test'],
      subject: 'Grüße 😀',
      mailId: '1@client.test',
      ancestors: ['0@desk.test', 'b@desk.test', 'a@desk.test'],
    });
  });

  it('has no empty lines at its end, and no NUL', () => {
    expect(read('Subject: x', '', 'One\0', '', 'Two', '', ' ', '').text).toBe('One\n\nTwo');
    expect(read(...HTML, '', '').html).toBe('<title>A page</title><p>Grüße</p>');
    expect(read('Subject: x', '').text).toBe('');
  });

  it('contains several texts as one, in both forms', () => {
    const { text, html } = read(...mixed(['', '1 < 2'], HTML, ['', ''], ['', 'The footer']));

    expect(text).toBe('1 < 2\nGrüße\nThe footer');
    expect(html.replaceAll('\n', '')).toBe(
      '<div>1 &lt; 2</div><br><title>A page</title><p>Grüße</p><br><div>The footer</div>',
    );
  });

  it('keeps its files byte for byte, and names an attached mail after its subject', () => {
    const attached = ['Content-Type: message/rfc822', '', 'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=', '', 'Old', ''];
    const list = ['Content-Type: text/csv; name=list.csv', '', 'a;b', '1;2', ''];
    const { files } = read(...mixed(['', 'See'], list, attached));

    expect(files.map(({ name, content }) => [name, Buffer.from(content).toString()])).toEqual([
      ['list.csv', 'a;b\r\n1;2\r\n'],
      ['Grüße.eml', 'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\n\r\nOld\r\n'],
    ]);
  });

  it('ignores other line endings', () => {
    const types = ['text/csv', 'application/pgp-signature', 'application/octet-stream'];
    const files = types.map((type) => [`Content-Type: ${type}; name=a`, '', 'a;b', '1;2', '']);
    const lines = mixed(['', 'See'], ...files);

    expect(parseMail(Buffer.from(lines.join('\n')), null).contentHash).toBe(read(...lines).contentHash);
  });

  it('hashes an email differently if a carriage return in an encoded file differs', () => {
    const [one, other] = ['a\r\nb', 'a\nb'].map((content) =>
      read(...mixed(['Content-Type: image/png', 'Content-Transfer-Encoding: base64', '', btoa(content)])),
    );

    expect(one!.contentHash).not.toBe(other!.contentHash);
  });

  it('decodes an unencoded header in the charset of the text', () => {
    const header = Buffer.from('From: \xf0\xd2\xc9 <a@b.test>\nSubject: \xf0\xd2\xc9\n', 'latin1');
    const body = Buffer.from('Content-Type: text/plain; charset=koi8-r\n\n\xf0\xd2\xc9', 'latin1');

    expect(parseMail(Buffer.concat([header, body]), null)).toMatchObject({
      from: { name: 'При' },
      subject: 'При',
      text: 'При',
    });
  });
});

it('cuts a text that is too long, and keeps the whole text as a file', () => {
  const page = `<p>Hello</p>${'&'.repeat(20_000_000)}`;
  const raw = Buffer.from(`From: a@b.test\nContent-Type: text/html\n\n${page}`);
  const started = performance.now();
  const { text, html, longTexts } = parseMail(raw, null);

  expect(performance.now() - started, 'milliseconds').toBeLessThan(8_000);
  expect([html.length, text.length]).toEqual([1_000_000, 0]);
  expect(longTexts.map(({ name, content }) => [name, content.length])).toEqual([['message.html', page.length]]);
});

it('recognizes a long mail with other line endings', () => {
  const mail = `From: a@b.test\nContent-Type: text/plain\n\n${'a line\n'.repeat(300_000)}`;
  const hashes = [mail, mail.replaceAll('\n', '\r\n')].map((raw) => parseMail(Buffer.from(raw), null).contentHash);

  expect(hashes[0]).toBe(hashes[1]);
});

const judged = (headers: Readonly<Record<string, string>>, envelopeFrom: string | null = 'ana@client.test'): boolean =>
  isAutomatic({ first: (name) => headers[name] }, envelopeFrom);

describe('the sender of an email', () => {
  it.each([
    [{ 'auto-submitted': 'auto-replied' }],
    [{ 'auto-submitted': 'Auto-Generated; owner-email="x@y.test"' }],
    [{ precedence: 'bulk' }],
    [{ precedence: 'List' }],
    [{ 'list-id': '<news.shop.test>' }],
    [{ 'x-auto-response-suppress': 'All' }],
    [{ 'return-path': '<>' }],
  ])('counts as a program if the header has %j', (headers) => {
    expect(judged(headers)).toBe(true);
  });

  it('counts as a program if the envelope has no sender', () => {
    expect(judged({}, '')).toBe(true);
  });

  it.each([[{}], [{ 'auto-submitted': 'no' }], [{ precedence: 'first-class' }], [{ 'return-path': '<ana@x.test>' }]])(
    'may be a person if the header has %j',
    (headers) => {
      expect(judged(headers, null)).toBe(false);
    },
  );
});
