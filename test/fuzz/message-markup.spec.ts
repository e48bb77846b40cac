import { safeHtml } from '#libs/tickets';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileMarkup, shownForms } from '#test/support/hostile-markup.js';

const VOID = new Set(['br', 'hr', 'img']);
const ALLOWED = new Set(
  (
    'p div br span hr b strong i em u s del small sub sup a img ul ol li blockquote pre code table thead tbody tr td th ' +
    'details summary'
  ).split(' '),
);
const ATTRIBUTES =
  /^(?: (?:href|title|target|rel|src|alt|width|height|colspan|rowspan|loading|class|data-[a-z-]+)(?:="[^"]*")?)*(?: \/)?$/;

/** Returns the first tag that is not allowed or does not match, with the text behind it. */
function faultOf(html: string): string | null {
  const open: string[] = [];
  for (const piece of html.split('<').slice(1)) {
    const [, slash, name = '', attributes = ''] = /^(\/?)([a-z]+)([^>]*)>/.exec(piece) ?? [];
    if (!ALLOWED.has(name) || !ATTRIBUTES.test(attributes)) return piece;
    if (slash && open.pop() !== name) return piece;
    if (!slash && !VOID.has(name)) open.push(name);
  }
  return open.pop() ?? null;
}

describe('hostile markup', () => {
  it('becomes allowed tags that match, whole or cut, with or without pictures', () => {
    fc.assert(
      fc.property(hostileMarkup, fc.double({ min: 0, max: 1, noNaN: true }), (body, part) => {
        expect(safeHtml(body)).not.toBe(null);
        expect(shownForms(body, part).filter((html) => faultOf(html) !== null)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
