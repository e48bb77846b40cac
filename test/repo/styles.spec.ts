import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const FOLDER = 'apps/api/src/layers/ui/assets';
/** The documents of the API and the printed ticket have their own sizes. */
const EXCEPTED = new Set(['reference.css', 'print.css']);
const SIZE = /^(var\(--(small|text|large|title)\)|inherit|0)$/;
const WEIGHT = /^(400|600|inherit)$/;

const styles = readdirSync(FOLDER).filter((name) => name.endsWith('.css') && !EXCEPTED.has(name));

function offences(css: string): string[] {
  const found: string[] = [];
  for (const [rule, property, value = ''] of css.matchAll(/(font|font-size|font-weight):\s*([^;]+);/g)) {
    if (property === 'font-size' && !SIZE.test(value)) found.push(rule);
    if (property === 'font-weight' && !WEIGHT.test(value)) found.push(rule);
    if (property === 'font' && /\d+px|[1235789]00|bold/.test(value.replace(/\/\s*\d+px/, ''))) found.push(rule);
  }
  return found;
}

describe('the styles of the console', () => {
  it.each(styles)('have four type sizes and two weights in %s', (name) => {
    expect(offences(readFileSync(`${FOLDER}/${name}`, 'utf8'))).toEqual([]);
  });
});
