import { describe, expect, it } from 'vitest';
import { wellNested } from './tag-nesting.js';

describe('wellNested', () => {
  it.each([
    '',
    'text &lt;b&gt; > "',
    '<p>a<br />b<img src="a" alt="" /></p><hr />',
    '<ul><li>a<ol><li><p>b</p></li></ol></li></ul>',
    '<ul><div><li>a</li></div></ul>',
    '<table><thead><tr><th colspan="2">a</th></tr></thead><tbody><tr><td><table><tr><td>b</td></tr></table></td></tr></tbody></table>',
    '<a href="https://a.test/" title="&lt;/a&gt;">b</a>',
  ])('keeps %j', (html) => {
    expect(wellNested(html)).toBe(html);
  });

  it.each([
    ['open elements', '<div><p>a', '<div><p>a</p></div>'],
    ['a table in a table', '<table><div><table></table></div></table>', '<table></table>'],
    [
      'a table in a row',
      '<table><tr><table><tr><td>a</td></tr></table></tr></table>',
      '<table><tr><td>a</td></tr></table>',
    ],
    ['a cell in a cell', '<table><td><b><td>a</td></b></td></table>', '<table><td><b>a</b></td></table>'],
    ['a link around rows', '<table><a><tr><td>a</td></tr></a></table>', '<table><tr><td>a</td></tr></table>'],
    ['a row without a table', '<tr><td>a</td></tr>', 'a'],
    [
      'a list item in a list item',
      '<ul><li><div><li>a</li></div></li></ul>',
      '<ul><li><div><div>a</div></div></li></ul>',
    ],
    ['a list item without a list', '<p><li>a</li></p>', '<p><div>a</div></p>'],
    [
      'a list item of a list around a table',
      '<ul><table><td><li>a</li></td></table></ul>',
      '<ul><table><td><div>a</div></td></table></ul>',
    ],
  ])('corrects %s', (_, html, corrected) => {
    expect(wellNested(html)).toBe(corrected);
  });

  it.each([
    ['closed by another name', '<a>b</nothing>'],
    ['closed in the wrong order', '<b><i>a</b></i>'],
    ['closed but not open', 'a</div>'],
    ['closed after its void tag', '<br />a</br>'],
    ['not allowed', '<script>a</script>'],
    ['in capitals', '<P>a</P>'],
    ['half', '<p>a</p'],
    ['a comment', '<!-- a -->'],
    ['with a quote that never ends', '<a title="b>c</a>'],
  ])('returns null for a tag that is %s', (_, html) => {
    expect(wellNested(html)).toBe(null);
  });

  it('takes linear time', () => {
    const html = `${'<b>'.repeat(40)}${'<i>a</i><br />'.repeat(40_000)}`;
    const started = performance.now();

    expect(wellNested(html)).toBe(html + '</b>'.repeat(40));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
