import { describe, expect, it } from 'vitest';
import { plainText, summaryOf } from './render-body.js';

describe('plainText', () => {
  it.each([
    ['plain & simple', 'plain & simple'],
    ['1 < 2 > 0, "so"', '1 < 2 > 0, "so"'],
    ['<p>One</p><p>two<br>three</p>', 'One\ntwo\nthree'],
    ['<script>alert(1)</script>seen<style>p{}</style>', 'seen'],
    ['<head><title>Untitled</title></head><p>seen</p>', 'seen'],
    ['caf&eacute; &euro;5 &ndash; &#8364; &#x27;q&#39; &hellip;', "café €5 – € 'q' …"],
    ['a&nbsp;b', 'a\u00a0b'],
    ['&lt;b&gt; &amp; &quot;', '<b> & "'],
    ['&amp;eacute; &amp;amp; &amp;lt;', '&eacute; &amp; &lt;'],
    ['&unknown; &', '&unknown; &'],
  ])('turns %j into %j', (body, text) => {
    expect(plainText(body)).toBe(text);
  });

  it('cuts a summary between characters', () => {
    expect(summaryOf('😀'.repeat(120))).toBe('😀'.repeat(100));
  });

  it.each([
    ['tags that never end', '<br'.repeat(80_000), '<br'.repeat(80_000)],
    ['stray closing tags', `${'<b>'.repeat(34_000)}text${'</i>'.repeat(34_000)}`, 'text'],
    ['entities among them', `${'<b>'.repeat(6_000)}caf&eacute;<br>1 &lt; 2`, 'café\n1 < 2'],
    ['a character of too high a number', `${'<b>'.repeat(6_000)}a&#${'9'.repeat(400)};b`, 'a\uFFFDb'],
    ['styles', `${'<b>'.repeat(6_000)}a<STYLE>p > a {}</style>b<!-- > -->c<script>1</script >d`, 'abcd'],
    ['hidden parts that never end', `${'<b>'.repeat(6_000)}a${'<style>'.repeat(60_000)}`, 'a'],
  ])('takes linear time for %s', (_, body, text) => {
    const started = performance.now();

    expect(plainText(body)).toBe(text);
    expect(performance.now() - started, 'it was 10 s and more').toBeLessThan(2000);
  });
});
