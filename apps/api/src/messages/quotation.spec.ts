import { describe, expect, it } from 'vitest';
import { splitQuotation, withFoldedQuotation } from './quotation.js';

const folded = (html: string): string => `<details class="quotation"><summary>Quoted text</summary>${html}</details>`;

describe('what a mail quotes', () => {
  it.each([
    ['<div>On 3 March, Maya &lt;<a href="mailto:m@desk.test">m@desk.test</a>&gt; wrote:<br /></div>'],
    ['<p>Thanks</p><p>Am 03.03.25 um 10:11 schrieb Maya:</p>\n'],
  ])('is folded below %s', (header) => {
    const quoted = '<blockquote>One<blockquote>Two</blockquote></blockquote>';

    expect(withFoldedQuotation(`Hi${header}${quoted}<p>Ana</p>`)).toBe(`Hi${header}${folded(quoted)}<p>Ana</p>`);
  });

  it.each([
    '<p>The law says:</p><blockquote>No.</blockquote>',
    '<blockquote>No.</blockquote>',
    '<p>On 3 March, I wrote:</p>',
  ])('is shown in %s', (html) => {
    expect(withFoldedQuotation(html)).toBe(html);
  });

  it('that was cut off is folded to the end', () => {
    const header = '<p>Maya wrote:</p>';

    expect(withFoldedQuotation(`${header}<blockquote>One`)).toBe(`${header}${folded('<blockquote>One')}`);
  });

  it('is split from a text whose reply is above it', () => {
    expect(splitQuotation('\n It works!\n\nMaya wrote:\n> Try', 'It works!')).toEqual({
      said: '\n It works!',
      quoted: 'Maya wrote:\n> Try',
    });
  });

  it.each([
    ['Maya wrote:\n> Try\nIt works!', 'It works!'],
    ['It works!', 'It works!'],
    ['It works!', null],
    ['It works!\n-- \nAna', 'It works!'],
  ])('is no part of %j', (text, reply) => {
    expect(splitQuotation(text, reply)).toEqual({ said: text, quoted: '' });
  });
});
