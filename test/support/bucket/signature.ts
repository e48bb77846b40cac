import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface BucketKey {
  readonly id: string;
  readonly secret: string;
  readonly region: string;
}

/** The reason for a refusal in the words of S3; null for a valid signature. */
export type S3ErrorCode = 'AccessDenied' | 'InvalidAccessKeyId' | 'RequestTimeTooSkewed' | 'SignatureDoesNotMatch';

const MAX_SKEW_MS = 15 * 60 * 1000;
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(?<id>[^/]+)\/(?<date>\d{8})\/(?<region>[^/]+)\/s3\/aws4_request, ?SignedHeaders=(?<signed>[^,]+), ?Signature=(?<signature>[0-9a-f]{64})$/;

/** AWS Signature Version 4 as documented: computed from the request that arrived. */
export function signatureErrorOf(request: IncomingMessage, key: BucketKey): S3ErrorCode | null {
  const told = AUTHORIZATION.exec(request.headers.authorization ?? '')?.groups;
  if (!told) return 'AccessDenied';
  if (told['id'] !== key.id) return 'InvalidAccessKeyId';
  const time = String(request.headers['x-amz-date']);
  if (Math.abs(timeOf(time) - Date.now()) > MAX_SKEW_MS || !time.startsWith(told['date']!))
    return 'RequestTimeTooSkewed';
  if (told['region'] !== key.region) return 'SignatureDoesNotMatch';
  const scope = `${told['date']}/${key.region}/s3/aws4_request`;
  const canonical = canonicalRequest(request, told['signed']!.split(';'));
  const text = ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n');
  const signature = hmac(signingKey(key, told['date']!), text).toString('hex');
  return signature === told['signature'] ? null : 'SignatureDoesNotMatch';
}

const timeOf = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')) || 0;

function canonicalRequest(request: IncomingMessage, signed: readonly string[]): string {
  const url = new URL(request.url ?? '/', 'http://bucket');
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');
  const headers = signed.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('');
  const payload = String(request.headers['x-amz-content-sha256']);
  return [request.method, url.pathname, query, headers, signed.join(';'), payload].join('\n');
}

const escaped = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

const signingKey = ({ secret, region }: BucketKey, date: string): Buffer =>
  [date, region, 's3', 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`));

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
