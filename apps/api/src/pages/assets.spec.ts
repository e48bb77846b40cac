import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ASSETS } from './assets.js';

const folder = new URL('./assets/', import.meta.url);

it.each(readdirSync(folder).filter((name) => name.endsWith('.css')))('pages load %s', (name) => {
  expect(ASSETS.find('console.css')?.body.toString()).toContain(readFileSync(new URL(name, folder), 'utf8'));
});
