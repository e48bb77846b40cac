import { describe, expect, it } from 'vitest';
import { partsOfMail, textOfPart } from './bodies.js';
import { type MimeLimits, type MimePart, readMime } from './mime-part.js';

const LIMITS: MimeLimits = { depth: 5, parts: 20, headerBytes: 2000 };

const read = (lines: readonly string[], end = '\r\n'): MimePart => readMime(Buffer.from(lines.join(end)), LIMITS);

const whole = (mail: MimePart) => {
  const { text, html, files } = partsOfMail(mail);
  return {
    text: text.map((part) => textOfPart(part)),
    html: html.map((part) => textOfPart(part)),
    files: files.map(({ name, type, content }) => [name, type, content.toString()]),
  };
};

const multipart = (kind: string, ...parts: readonly (readonly string[])[]): string[] => [
  `Content-Type: multipart/${kind}; boundary="b-${kind}"`,
  '',
  'For programs that know no parts.',
  ...parts.flatMap((part) => [`--b-${kind}`, ...part]),
  `--b-${kind}--`,
  'After all.',
];
const TEXT = ['Content-Type: text/plain', '', 'Hello'];
const HTML = ['Content-Type: text/html', '', '<p>Hello</p>'];
const IMAGE = ['Content-Type: image/png', 'Content-ID: <logo@a>', 'Content-Transfer-Encoding: base64', '', 'UE5H'];
const ATTACHED = ['Content-Type: text/plain', 'Content-Disposition: attachment; filename=a.txt', '', 'A file', ''];

describe('the parts of an email', () => {
  it.each([
    ['no Content-Type', ['', 'Hello'], { text: ['Hello'], html: ['Hello'], files: [] }],
    ['a Content-Type that is none', ['Content-Type: text', '', 'Hi'], { text: ['Hi'], html: ['Hi'], files: [] }],
    ['another kind of text', ['Content-Type: text/markdown', '', 'Hi'], { text: ['Hi'], html: ['Hi'], files: [] }],
    [
      'an invitation only',
      ['Content-Type: text/calendar', '', 'BEGIN'],
      { text: [], html: [], files: [[null, 'text/calendar', 'BEGIN']] },
    ],
    ['HTML only', HTML, { text: ['<p>Hello</p>'], html: ['<p>Hello</p>'], files: [] }],
    ['both', multipart('alternative', TEXT, HTML), { text: ['Hello'], html: ['<p>Hello</p>'], files: [] }],
    [
      'pictures beside the markup',
      multipart('alternative', TEXT, multipart('related', HTML, IMAGE)),
      { text: ['Hello'], html: ['<p>Hello</p>'], files: [[null, 'image/png', 'PNG']] },
    ],
    [
      'a file of text',
      multipart('mixed', multipart('alternative', TEXT, HTML), ATTACHED),
      { text: ['Hello'], html: ['<p>Hello</p>'], files: [['a.txt', 'text/plain', 'A file\r\n']] },
    ],
    [
      'a file of text that says it is inline',
      multipart('mixed', TEXT, ['Content-Type: text/plain; name=a.txt', 'Content-Disposition: inline', '', 'A']),
      { text: ['Hello'], html: ['Hello'], files: [['a.txt', 'text/plain', 'A']] },
    ],
    [
      'several texts',
      multipart('mixed', TEXT, IMAGE, ['', 'The footer']),
      { text: ['Hello', 'The footer'], html: ['Hello', 'The footer'], files: [[null, 'image/png', 'PNG']] },
    ],
    [
      'another mail',
      multipart('mixed', TEXT, ['Content-Type: message/rfc822', '', 'Subject: Old', '', 'x']),
      { text: ['Hello'], html: ['Hello'], files: [[null, 'message/rfc822', 'Subject: Old\r\n\r\nx']] },
    ],
    [
      'a name in the type only',
      multipart('mixed', TEXT, ['Content-Type: application/pdf; name="=?utf-8?Q?=C3=BC.pdf?="', '', 'PDF']),
      { text: ['Hello'], html: ['Hello'], files: [['ü.pdf', 'application/pdf', 'PDF']] },
    ],
    ['nothing but a file', ATTACHED, { text: [], html: [], files: [['a.txt', 'text/plain', 'A file\r\n']] }],
    ['nothing', [''], { text: [''], html: [''], files: [] }],
  ])('parses an email with %s', (_what, lines, expected) => {
    expect(whole(read(lines))).toEqual(expected);
  });

  it.each([
    ['no last boundary', ['--b', ...TEXT, '--b', ...ATTACHED]],
    ['spaces after the boundary', ['--b  ', ...TEXT, '--b\t', ...ATTACHED, '--b-- ']],
    ['another boundary than declared', ['--c', ...TEXT, '--c', ...ATTACHED, '--c--']],
  ])('finds parts with %s', (_what, body) => {
    const { text, files } = whole(read(['Content-Type: multipart/mixed; boundary=b', '', ...body]));

    expect(text).toEqual(['Hello']);
    expect(files).toHaveLength(1);
  });

  it.each([
    ['no first delimiter', [...TEXT, '--b--'], ['Hello']],
    ['no first delimiter and no header', ['', 'Dear: all', '--b--'], ['\nDear: all']],
    [
      'another first delimiter than the last',
      ['', '--c', ...TEXT, '--c', ...TEXT, '--b--', 'After'],
      ['Hello', 'Hello'],
    ],
    ['a last delimiter before the first', ['--b--', '--b', ...TEXT, '--b--'], ['Hello']],
    ['nothing but the last delimiter', ['', '--b--'], []],
  ])('reads parts with %s as intended', (_what, body, text) => {
    const mail = read(['Content-Type: multipart/mixed; boundary=b', '', ...body]);

    expect(whole(mail)).toMatchObject({ text, files: [] });
  });

  it.each([
    ['no start', ''],
    ['a type', '; type="text/html"'],
    ['a start that is not there', '; start="<other@a>"'],
    ['a picture as its start', '; start="<logo@a>"'],
  ])('shows the markup of related parts that begin with a picture and %s', (_what, parameters) => {
    const [type = '', ...lines] = multipart('related', IMAGE, HTML);

    expect(whole(read([type + parameters, ...lines]))).toEqual({
      text: ['<p>Hello</p>'],
      html: ['<p>Hello</p>'],
      files: [[null, 'image/png', 'PNG']],
    });
  });

  it('treats a nested boundary equal to the outer one as the same', () => {
    const lines = [
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: multipart/alternative; boundary=b',
      '',
    ];

    expect(whole(read([...lines, '--b', ...TEXT, '--b', ...HTML, '--b--']))).toMatchObject({
      text: ['Hello'],
      html: ['<p>Hello</p>'],
    });
  });

  it('shows a multipart without parts as it is', () => {
    expect(whole(read(['Content-Type: multipart/mixed; boundary=b', '', 'Hello'])).text).toEqual(['Hello']);
  });

  it('parses the same parts with any line ending', () => {
    const mail = multipart('mixed', TEXT, IMAGE);
    for (const end of ['\n', '\r']) expect(whole(read(mail, end))).toEqual(whole(read(mail)));
  });

  it('parses the parts of a digest as emails', () => {
    const { files } = whole(read(multipart('digest', ['', 'Subject: One', '', 'x'])));

    expect(files).toEqual([[null, 'message/rfc822', 'Subject: One\r\n\r\nx']]);
  });

  it.each([
    [
      'parts that are nested too deeply',
      multipart('mixed', multipart('a', multipart('b', multipart('c', multipart('d', multipart('e', TEXT)))))),
    ],
    ['too many parts', multipart('mixed', ...Array.from({ length: 20 }, () => TEXT))],
    ['a header that is too long', [`X: ${'x'.repeat(2000)}`, '', '']],
  ])('refuses %s', (_what, lines) => {
    expect(() => read(lines)).toThrow('the mail has too many parts');
  });
});

describe('the transfer encoding of a part', () => {
  it.each([
    ['base64', 'R3LDvMOfZQ==', 'Grüße'],
    ['BASE64 (of course)', 'R3L\r\n Dv!MOfZQ', 'Grüße'],
    ['base64', 'R3LDvA==\r\nw59l', 'Grüße'],
    ['base64', 'R3LDvMOfZQ==\r\n_______\r\nThe list', 'Grüße'],
    ['base64', 'R3LDvMOfZQ\r\n_______\r\nThe list', 'Grüße'],
    ['base64', 'R3LDvMOfZSEh\r\n\r\n-- \r\nAnswer above this line, please.\r\n', 'Grüße!!'],
    ['base64', 'R3LDvMOfZQ\r\nThe list, and much more than what was written above it.', 'Grüße'],
    ['base64', 'Hello, how are you?\r\nSee you tomorrow.', 'Hello, how are you?\nSee you tomorrow.'],
    ['base64', 'Thanks\r\nfor the quick answer', 'Thanks\nfor the quick answer'],
    ['base64', 'Grüße aus Köln', 'Grüße aus Köln'],
    ['base64', '????', '????'],
    ['quoted-printable', 'Gr=C3=BC=c3=9fe', 'Grüße'],
    ['quoted-printable', 'soft=\r\n break=  \r\n, spaces  \r\nend=', 'soft break, spaces\nend'],
    ['quoted-printable', '1=2, 100=%, =XY', '1=2, 100=%, =XY'],
    ['8bit', 'Grüße', 'Grüße'],
    ['x-none-such', 'Grüße', 'Grüße'],
    ['x-uuencode', 'begin 644 a.txt\r\n%2&5L;&\\`\r\n`\r\nend', 'Hello'],
  ])('decodes %s: %j as %j', (encoding, body, text) => {
    const lines = ['Content-Type: text/plain; charset=utf-8', `Content-Transfer-Encoding: ${encoding}`, '', body];

    expect(whole(read(lines)).text).toEqual([text]);
  });
});

describe('flowed text', () => {
  it.each([
    ['flowed', 'One \r\nline.\r\n\r\n  indented\r\n-- \r\nAna', 'One line.\n\n indented\n-- \nAna'],
    ['flowed', '> One \r\n> quoted\r\n>> deeper\r\nmine', '> One quoted\n>> deeper\nmine'],
    ['flowed; delsp=yes', '日本 \r\n語', '日本語'],
    ['fixed', 'One \r\nline.', 'One \nline.'],
  ])('unwraps %s: %j to %j', (format, body, text) => {
    const lines = [`Content-Type: text/plain; charset=utf-8; format=${format}`, '', body];

    expect(whole(read(lines)).text).toEqual([text]);
  });
});

it('decodes an unencoded file name in the charset of the text before it', () => {
  const text = ['Content-Type: text/plain; charset=gbk', '', 'Hi'];
  const lines = multipart('mixed', text, ['Content-Type: application/pdf; name="\xd6\xd0.pdf"', '', 'PDF']);
  const { files } = whole(readMime(Buffer.from(lines.join('\n'), 'latin1'), LIMITS));

  expect(files).toEqual([['中.pdf', 'application/pdf', 'PDF']]);
});

it('decodes an HTML part in the charset that its markup declares', () => {
  const page = Buffer.from(
    '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>\xf0\xd2\xc9',
    'latin1',
  );
  const mail = readMime(Buffer.concat([Buffer.from('Content-Type: text/html\n\n'), page]), LIMITS);

  expect(whole(mail).html[0]).toContain('<p>При');
});
