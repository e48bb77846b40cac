import { describe, expect, it } from 'vitest';
import {
  hasRemotePictures,
  safeHtml as safeHtmlOrNull,
  startOfHtml,
  withAttachedPictures,
  withAttachments,
  withRemotePictures,
  withoutRemotePictures,
} from './safe-html.js';

const safeHtml = (body: string): string => safeHtmlOrNull(body) ?? 'not well nested';

describe('remote pictures', () => {
  const remote = '<p>a<img alt="&quot;>" src="https://tracker.test/a.png?b&c">b</p>';

  it('holds back pictures of other hosts', () => {
    const safe = safeHtml(remote);

    expect(hasRemotePictures(safe)).toBe(true);
    expect(withoutRemotePictures(safe)).toBe('<p>ab</p>');
    expect(withRemotePictures(safe)).toBe('<p>a<img src="https://tracker.test/a.png?b&amp;c" alt="&quot;&gt;" />b</p>');
  });

  it.each([
    ['inside the body', '<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA" />'],
    ['that are pages', '<img src="data:text/html,a">', ''],
    ['that are scripts', '<img src="javascript:alert(1)" alt="a">', ''],
    ['of our own host', '<img src="/sign-out"><img src="//tracker.test/a.png">', ''],
    ['without an address', 'a<img alt="b">c', 'ac'],
    ['before a link', '<img src="x:1"><a>b</a>c', '<a target="_blank" rel="noopener noreferrer">b</a>c'],
    ['before a table', '<img src="x:1"><table><tr><td>x</td></tr></table>', '<table><tr><td>x</td></tr></table>'],
    ['before an unclosed tag', '<img src="x:1"><s>', '<s></s>'],
    ['before a line break', '<p><img src="x:1"><br>a</p>', '<p><br />a</p>'],
    ['whose sender uses our attribute for held-back pictures', '<img data-remote-src="https://tracker.test/">', ''],
    [
      'of text',
      '&lt;img data-remote-src="https://tracker.test/">',
      '&lt;img data-remote-src="https://tracker.test/"&gt;',
    ],
  ])('holds back nothing for pictures %s', (_, body, shown) => {
    expect(hasRemotePictures(safeHtml(body))).toBe(false);
    expect(safeHtml(body)).toBe(shown);
  });
});

describe('startOfHtml', () => {
  const safe = safeHtml('<div><p>One <b>two</b><br>&lt;three&gt;</p><a href="https://a.test/">four</a></div>');

  it('returns valid HTML wherever it is cut', () => {
    for (let characters = 0; characters < safe.length; characters++) {
      const start = startOfHtml(safe, characters);

      expect(safeHtml(start!), `${characters} characters`).toBe(start);
    }
    expect(startOfHtml(safe, 18)).toBe('<div><p>One <b>two</b></p></div>');
  });

  it('returns short HTML unchanged', () => {
    expect(startOfHtml(safe, safe.length)).toBe(safe);
  });

  it('splits no character', () => {
    expect(startOfHtml('a😀', 2)).toBe('a');
  });
});

const ID = '019a8c1e-7d3e-7a52-8c11-5b0e9d7f2c34';
const KNOWN = new Map([['logo@a&b', ID]]);
const shown = (html: string): string =>
  withAttachedPictures(
    withAttachments(safeHtml(html), (name) => KNOWN.get(name)),
    (id) => `/attachments/${id}/image`,
  );

describe('pictures attached to an email', () => {
  it.each(['cid:logo@a&amp;b', ' CID:logo%40a%26b'])('shows a picture with the source %j', (src) => {
    expect(shown(`<p><img alt="Logo" src="${src}"></p>`)).toBe(
      `<p><img loading="lazy" src="/attachments/${ID}/image" alt="Logo" /></p>`,
    );
  });

  it('gives a missing picture no URL', () => {
    expect(shown('<img src="cid:other">')).toBe('<img data-cid="other" />');
  });

  it.each([
    ['our own attribute', `<img data-attachment="${ID}">`, ''],
    ['our other attribute', '<img data-cid="logo@a&amp;b">', ''],
    ['text', '&lt;img data-cid="logo@a&amp;b"', '&lt;img data-cid="logo@a&amp;b"'],
    ['a name', `<img src='cid:x" data-attachment="${ID}'>`, `<img data-cid="x&quot; data-attachment=&quot;${ID}" />`],
  ])('ignores a Content-ID in %s', (_what, html, expected) => {
    expect(shown(html)).toBe(expected);
  });
});
