import {
  safeHtml,
  startOfHtml,
  withAttachedPictures,
  withAttachments,
  withRealHosts,
  withRemotePictures,
  withoutRemotePictures,
} from '#libs/tickets';
import * as fc from 'fast-check';
import { withFoldedQuotation } from '../../apps/api/src/messages/quotation.js';

const ALLOWED =
  'p div span b strong i em u s del small sub sup a ul ol li blockquote pre code table thead tbody tr td th'.split(' ');

/** Tags that a browser or the sanitizer treats in a way of their own. */
const OTHERS = (
  'h1 h2 h6 caption colgroup col tfoot svg math mi mtext annotation-xml foreignObject desc title style script textarea ' +
  'select option button form input noscript template iframe object marquee applet nobr font center dl dt dd details ' +
  'summary body html head frameset plaintext xmp nothing ruby rt video source P DIV TABLE Li A'
).split(' ');

const tags = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ALLOWED) },
  { weight: 4, arbitrary: fc.constantFrom('a', 'div', 'p', 'li', 'ul', 'table', 'tr', 'td', 'b') },
  { weight: 1, arbitrary: fc.constantFrom(...OTHERS) },
);

const ID = '019a8c1e-7d3e-7a52-8c11-5b0e9d7f2c34';

const SOURCES = [
  '',
  'x:1',
  'cid:logo@a',
  'cid:',
  'cid:x"&gt;&lt;/div&gt;',
  'https://a.test/b.png?c&d"&gt;',
  'http://a.test/',
  '/image.png',
  'data:image/png;base64,AAAA',
  'data:text/html,a',
  'javascript:a',
];

const attributes = fc.constantFrom(
  '',
  ' href="https://evil.example/"',
  " title='&quot;&gt;&lt;/div&gt;'",
  ' href=javascript:a',
  ' colspan=2 class=x style="color:red"',
  ' title="<b>" alt="</div>"',
  ' =x "',
  ' data-remote-src="https://a.test/"',
  ` data-attachment="${ID}" data-cid="logo@a"`,
  ' /',
  '/',
);

const pictures = fc
  .tuple(fc.constantFrom(...SOURCES), attributes)
  .map(([source, others]) => `<img src="${source}"${others}>`);

const leaves = fc.oneof(
  fc.constantFrom(
    'text',
    ' ',
    '😀',
    '\u0000',
    '&lt;/div&gt;',
    '&amp;lt;',
    '&#60;b>',
    '&nbsp;',
    '&',
    '<',
    '>',
    '</',
    '<b',
  ),
  fc.constantFrom(
    '<br>',
    '<hr>',
    '<br/>',
    '</br>',
    '</p>',
    '<wbr>',
    '<img>',
    '<image src=x>',
    '<input>',
    '<p',
    '<a href="',
  ),
  fc.constantFrom(
    '<!---->',
    '<!-- <b> -->',
    '<!-->',
    '<!-- ',
    '<![CDATA[<b>]]>',
    '<!doctype html>',
    '<?xml <p>?>',
    ']]>',
  ),
  fc.constantFrom(
    'On 3 March 2025 at 10:11, Maya &lt;a@b.test&gt; wrote:<blockquote>',
    '</nothing>',
    '<style/>',
    '<svg/>',
  ),
  pictures,
);

const starts = fc.tuple(tags, attributes).map(([tag, given]) => `<${tag}${given}>`);
const ends = tags.map((tag) => `</${tag}>`);

/** Elements in elements, unclosed and closed in the wrong order, up to more than the nesting that the sanitizer keeps. */
const pieces = fc.letrec<{ piece: string }>((tie) => ({
  piece: fc.oneof(
    { depthSize: 'small' },
    { weight: 3, arbitrary: leaves },
    { weight: 2, arbitrary: starts },
    { weight: 1, arbitrary: ends },
    {
      weight: 5,
      arbitrary: fc
        .tuple(tags, attributes, fc.array(tie('piece'), { maxLength: 4 }))
        .map(([tag, given, inner]) => `<${tag}${given}>${inner.join('')}</${tag}>`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tags, fc.integer({ min: 2, max: 60 }), tie('piece'))
        .map(([tag, count, inner]) => `<${tag}>`.repeat(count) + inner + `</${tag}>`.repeat(count)),
    },
  ),
})).piece;

/** Markup of a sender who tries to leave the message. */
export const hostileMarkup = fc.array(pieces, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));

/** Everything that a page can show of a body, and the HTML of an email. `part` of the safe HTML, from 0 to 1, is shown. */
export function shownForms(body: string, part: number): string[] {
  const safe = withAttachments(safeHtml(body) ?? '', (contentId) => (contentId === 'logo@a' ? ID : undefined));
  const start = startOfHtml(safe, Math.floor(safe.length * part)) ?? '';
  return [safe, start].flatMap((html) => {
    const folded = withFoldedQuotation(html);
    return [withoutRemotePictures(folded), withRemotePictures(folded), withRemotePictures(html)].map((form) =>
      withRealHosts(withAttachedPictures(form, (id) => `/attachments/${id}/image`)),
    );
  });
}
