import { describe, expect, it } from 'vitest';
import { htmlOfMarkdown } from './markdown.js';
import { type Markup, isQuicklyRendered, renderBody } from './render-body.js';

const shown = (body: string) => renderBody({ body, markdown: true }).safeHtml?.replaceAll('\n', '');
const link = (href: string, text: string) => `<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>`;

describe('htmlOfMarkdown', () => {
  it.each([
    ['', 'nothing'],
    ['Hello Ana,\n\nit works.\nBest', 'paragraphs and line breaks'],
    ['See https://acme.test/a_b_c, www.acme.test or <ana@client.test>', 'bare addresses'],
    ['5 * 3 * 4 is 60, snake_case_name, #12, 1.5 and 2-3', 'signs within a sentence'],
    ['5*3*2, 10*20*30 mm, 2**3**2 and a*b*c', 'signs within words and numbers'],
    ['\\\\nas01\\share\\_old\\*.log and C:\\temp\\[new]\\#1', 'paths'],
    ['__init__ calls __new__', 'names between underscores'],
    ['# 5 is the first', 'a number sign before a line'],
    ['2026. A good year', 'a year before a line'],
    ['    indented\n\n\tas pasted', 'indented lines'],
    ['[1]: https://acme.test', 'a definition of a link'],
    ['1 < 2 & 3 > 2', 'signs of HTML'],
    ['السلام عليكم\nこんにちは', 'other scripts'],
  ])('is null for %j, %s', (text) => {
    expect(htmlOfMarkdown(text)).toBeNull();
  });
});

describe('a text in Markdown', () => {
  it.each([
    ['**bold** and _italic_', '<p><strong>bold</strong> and <em>italic</em></p>'],
    ['**مهم** و\n**重要**です', '<p><strong>مهم</strong> و<br /><strong>重要</strong>です</p>'],
    ['- one\n- two', '<ul><li>one</li><li>two</li></ul>'],
    ['3. three\n4. four', '<ol start="3"><li>three</li><li>four</li></ol>'],
    ['- [ ] open\n- [x] done', '<ul><li>[ ] open</li><li>[x] done</li></ul>'],
    ['> You said\n> so', '<blockquote><p>You said<br />so</p></blockquote>'],
    ['Run `a < b`', '<p>Run <code>a &lt; b</code></p>'],
    ['```js\n1 && <b>\n```', '<pre><code>1 &amp;&amp; &lt;b&gt;</code></pre>'],
    ['[here](https://acme.test/?a=1&b=2)', `<p>${link('https://acme.test/?a=1&amp;b=2', 'here')}</p>`],
    ['![a picture](https://acme.test/p.png)', `<p>${link('https://acme.test/p.png', 'a picture')}</p>`],
    ['# Title of **a**', '<p># Title of <strong>a</strong></p>'],
    ['C:\\a\\*.log **a** 5*3*2', '<p>C:\\a\\*.log <strong>a</strong> 5*3*2</p>'],
    ['**a**\n---\nb', '<p><strong>a</strong></p><hr /><p>b</p>'],
    ['**a** &copy; &amp; "b"', '<p><strong>a</strong> &amp;copy; &amp;amp; "b"</p>'],
    ['<b>a</b>', '<p>&lt;b&gt;a&lt;/b&gt;</p>'],
    ['<div>\n**a**\n</div>', '<p>&lt;div&gt;<br /><strong>a</strong><br />&lt;/div&gt;</p>'],
    ['**a** <script>alert(1)</script>', '<p><strong>a</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['[a](javascript:alert(1))', '<p><a target="_blank" rel="noopener noreferrer">a</a></p>'],
    [
      '[a](https://b.test "x\\" onclick=\\"alert(1)")',
      '<p><a href="https://b.test" title="x&quot; onclick=&quot;alert(1)" target="_blank" rel="noopener noreferrer">a</a></p>',
    ],
  ])('shows %j', (text, html) => {
    expect(shown(text)).toBe(html);
  });

  it('keeps the text as it was written', () => {
    const body = '**a** &amp; <b>\n- [x] c';

    expect(renderBody({ body, markdown: true })).toMatchObject({ plainTextBody: body, shownAs: 'html' });
    expect(renderBody({ body: 'a <b@c.test>', markdown: true })).toEqual({
      plainTextBody: 'a <b@c.test>',
      shownAs: 'text',
      safeHtml: null,
    });
  });

  it.each([
    ['more tags than are sanitized', '- **a**\n'.repeat(3000)],
    ['more HTML than is stored', `**a** [b](<https://c.test/${'語'.repeat(120_000)}>)`],
  ])('stays text with %s', (_, body) => {
    expect(renderBody({ body, markdown: true })).toMatchObject({ plainTextBody: body, shownAs: 'text' });
  });
});

const HOSTILE = [
  '>',
  '> ',
  '*',
  '**a',
  '*a_',
  '***a',
  '[',
  '![',
  '[a](',
  '`',
  '~a',
  '<',
  '- ',
  '> - ',
  '|',
  '1. a\n  ',
  '&',
];

describe('hostile Markdown', () => {
  it.each(HOSTILE)('takes milliseconds when it is rendered in place: %j', (unit) => {
    let written: Markup = { body: unit.repeat(6000 / unit.length), markdown: true };
    while (!isQuicklyRendered(written))
      written = { ...written, body: written.body.slice(0, written.body.length * 0.9) };
    renderBody(written);
    const started = performance.now();
    renderBody(written);

    expect(performance.now() - started).toBeLessThan(60);
  });
});
