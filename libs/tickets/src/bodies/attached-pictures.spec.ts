import { describe, expect, it } from 'vitest';
import { withAttachedPictures, withAttachments } from './attached-pictures.js';
import { safeHtml } from './safe-html.js';

const ID = '019a8c1e-7d3e-7a52-8c11-5b0e9d7f2c34';
const KNOWN = new Map([['logo@a&b', ID]]);
const shown = (html: string): string =>
  withAttachedPictures(
    withAttachments(safeHtml(html), (name) => KNOWN.get(name)),
    (id) => `/attachments/${id}/image`,
  );

describe('a picture of a mail', () => {
  it.each(['cid:logo@a&amp;b', ' CID:logo%40a%26b'])('is shown where the markup says %s', (src) => {
    expect(shown(`<p><img alt="Logo" src="${src}"></p>`)).toBe(
      `<p><img loading="lazy" src="/attachments/${ID}/image" alt="Logo" /></p>`,
    );
  });

  it('that did not come has no address', () => {
    expect(shown('<img src="cid:other">')).toBe('<img data-cid="other" />');
  });

  it.each([
    ['an attribute of ours', `<img data-attachment="${ID}">`, ''],
    ['the other one', '<img data-cid="logo@a&amp;b">', ''],
    ['text', '&lt;img data-cid="logo@a&amp;b"', '&lt;img data-cid="logo@a&amp;b"'],
    ['a name', `<img src='cid:x" data-attachment="${ID}'>`, `<img data-cid="x&quot; data-attachment=&quot;${ID}" />`],
  ])('cannot be claimed by %s', (_what, html, expected) => {
    expect(shown(html)).toBe(expected);
  });
});
