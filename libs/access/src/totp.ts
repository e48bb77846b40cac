import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** RFC 6238 with the values that all apps support. */
const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Clocks differ, and typing takes time. */
const WINDOW_STEPS = 1;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newTotpSecret = (): string => base32(randomBytes(SECRET_BYTES));

export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / STEP_SECONDS);

export function totpCode(secret: string, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = mac.at(-1)! & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Compares all codes, so that the time reveals nothing. */
export function matchingStep(secret: string, code: string, now: Date): number | null {
  const typed = Buffer.from(code);
  let matching: number | null = null;
  for (let step = stepAt(now) - WINDOW_STEPS; step <= stepAt(now) + WINDOW_STEPS; step++) {
    const expected = Buffer.from(totpCode(secret, step));
    if (typed.length === expected.length && timingSafeEqual(typed, expected)) matching = step;
  }
  return matching;
}

export function normalizeTotpCode(typed: string): string | undefined {
  const code = typed.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(code) ? code : undefined;
}

/** The content of the QR code. */
export function otpauthUri(secret: string, { account, email }: { account: string; email: string }): string {
  const issuer = `Deskwire ${account}`;
  // Some apps read everything before the first colon as the issuer.
  const label = [issuer, email].map((part) => encodeURIComponent(part.replaceAll(':', ' '))).join(':');
  const parameters = [`secret=${secret}`, `issuer=${encodeURIComponent(issuer.replaceAll(':', ' '))}`];
  return `otpauth://totp/${label}?${parameters.join('&')}`;
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  const groups = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(groups.map((group) => Number.parseInt(group, 2)));
}
