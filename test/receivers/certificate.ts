import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const ECDSA_WITH_SHA256 = der(0x30, oid('2a8648ce3d040302'));
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';

/**
 * Creates a self-signed certificate. Node can read X.509 but not write it, a private key does not belong in the
 * repository, and the few fields of a test are not worth a dependency.
 */
export function selfSigned({ name = 'localhost', days = 1 } = {}): Certificate {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = toBeSigned(name, days, privateKey);
  const signature = sign('sha256', body, privateKey);
  const whole = der(0x30, body, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, cert: pem(whole) };
}

/** TBSCertificate of RFC 5280. A negative `days` makes a certificate that expired that many days ago. */
function toBeSigned(name: string, days: number, key: KeyObject): Buffer {
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1]));
  const subject = der(0x30, der(0x31, der(0x30, oid(COMMON_NAME), der(0x0c, Buffer.from(name)))));
  const validity = der(0x30, utcTime(Math.min(days, 0) - 1), utcTime(days));
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return der(0x30, version3, serial, ECDSA_WITH_SHA256, subject, validity, subject, publicKey, extensions(name));
}

function extensions(name: string): Buffer {
  const isAuthority = der(0x30, der(0x01, Buffer.from([0xff])));
  const dnsName = der(0x30, der(0x82, Buffer.from(name)));
  return der(0xa3, der(0x30, extension(BASIC_CONSTRAINTS, isAuthority), extension(SUBJECT_ALT_NAME, dnsName)));
}

function extension(id: string, value: Buffer): Buffer {
  return der(0x30, oid(id), der(0x04, value));
}

function utcTime(daysFromNow: number): Buffer {
  const digits = new Date(Date.now() + daysFromNow * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(digits.slice(2)));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), length(content.length), content]);
}

function length(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.from([bytes]);
  return bytes < 0x100 ? Buffer.from([0x81, bytes]) : Buffer.from([0x82, bytes >> 8, bytes & 0xff]);
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
