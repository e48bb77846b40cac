import { describe, expect, it } from 'vitest';
import { splitQuotation, withFoldedQuotation } from './quotation.js';

const folded = (html: string): string => `<details class="quotation"><summary>Quoted text</summary>${html}</details>`;

describe('quotation', () => {
  it.each([
    ['<div>On 3 March, Maya &lt;<a href="mailto:m@desk.test">m@desk.test</a>&gt; wrote:<br /></div>'],
    ['<p>Thanks</p><p>Am 03.03.25 um 10:11 schrieb Maya:</p>\n'],
  ])('folds the quotation below %s', (header) => {
    const quoted = '<blockquote>One<blockquote>Two</blockquote></blockquote>';

    expect(withFoldedQuotation(`Hi${header}${quoted}<p>Ana</p>`)).toBe(`Hi${header}${folded(quoted)}<p>Ana</p>`);
  });

  it.each([
    '<p>The law says:</p><blockquote>No.</blockquote>',
    '<blockquote>No.</blockquote>',
    '<p>On 3 March, I wrote:</p>',
  ])('folds nothing in %s', (html) => {
    expect(withFoldedQuotation(html)).toBe(html);
  });

  it('folds a truncated quotation to the end', () => {
    const header = '<p>Maya wrote:</p>';

    expect(withFoldedQuotation(`${header}<blockquote>One`)).toBe(`${header}${folded('<blockquote>One')}`);
  });

  it('splits a reply from the quotation below it', () => {
    expect(splitQuotation('\n It works!\n\nMaya wrote:\n> Try', 'It works!')).toEqual({
      reply: '\n It works!',
      quoted: 'Maya wrote:\n> Try',
    });
  });

  it.each([
    ['Maya wrote:\n> Try\nIt works!', 'It works!'],
    ['It works!', 'It works!'],
    ['It works!', null],
    ['It works!\n-- \nAna', 'It works!'],
  ])('finds no quotation in %j', (text, reply) => {
    expect(splitQuotation(text, reply)).toEqual({ reply: text, quoted: '' });
  });
});
