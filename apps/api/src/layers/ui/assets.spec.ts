import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findAsset } from './assets.js';

const folder = new URL('./assets/', import.meta.url);

it.each(readdirSync(folder).filter((name) => name.endsWith('.css')))('serves %s as part of the style sheet', (name) => {
  expect(findAsset('console.css')?.body.toString()).toContain(readFileSync(new URL(name, folder), 'utf8'));
});
