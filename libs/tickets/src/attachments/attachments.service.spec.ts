import { expect, it } from 'vitest';
import { isRasterImage } from './attachments.service.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a464946000101000048', 'hex');
const GIF = Buffer.from('GIF89a..........');
const WEBP = Buffer.from('RIFF....WEBPVP8 ');
const AVIF = Buffer.from('\0\0\0 ftypavif....');
const SVG = Buffer.from('<svg xmlns="http');

it.each([
  ['image/png', PNG, true],
  ['image/jpeg', JPEG, true],
  ['image/gif', GIF, true],
  ['image/webp', WEBP, true],
  ['image/avif', AVIF, true],
  ['image/png', JPEG, false],
  ['image/png', SVG, false],
  ['image/svg+xml', SVG, false],
  ['image/svg+xml', PNG, false],
  ['text/html', PNG, false],
  ['constructor', PNG, false],
  ['image/png', Buffer.alloc(0), false],
  ['image/png', PNG.subarray(0, 7), false],
])('checks the bytes of a file of type %s', (contentType, head, expected) => {
  expect(isRasterImage(contentType, head)).toBe(expected);
});
