import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * The code of an authenticator app for the key at that time. Implemented independently of the product, from RFC 6238.
 */
export function codeAt(key: string, at: Date): string {
  const bits = Array.from(key.replaceAll(' ', ''), (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'));
  const secret = Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
  const counter = Buffer.alloc(8);
  counter.writeUInt32BE(Math.floor(at.getTime() / 30_000), 4);
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE(mac[19]! % 16) % 2 ** 31;
  return String(number % 1_000_000).padStart(6, '0');
}
