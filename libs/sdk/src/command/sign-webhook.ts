import { createHmac } from 'node:crypto';
import { signedHead } from '../signed-head.js';

/** Returns `webhook-signature` as Deskwire computes it: each secret signs `v1` and `dw1`. */
export function signWebhook(headers: Headers, body: string, secrets: readonly string[]): string {
  const header = (name: string, absent = ''): string => headers.get(name) ?? absent;
  const heads = { v1: `${header('webhook-id')}.${header('webhook-timestamp')}.`, dw1: signedHead(header) };
  const entries = Object.entries(heads).flatMap(([version, head]) =>
    secrets.map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      return `${version},${createHmac('sha256', key).update(head).update(body).digest('base64')}`;
    }),
  );
  return entries.join(' ');
}
