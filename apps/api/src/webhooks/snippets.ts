/** Verifies a delivery and the headers that say what it is. A test runs it unchanged. */
export const NODE_SNIPPET = `import { createHmac, timingSafeEqual } from 'node:crypto';

const SECRET = process.env.WEBHOOK_SECRET; // whsec_…

/** headers: as received, in lower case. body: the raw text, before any parsing. */
export function isFromDeskwire(headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const kind = headers['webhook-event'];
  const ids = [headers['webhook-account'], headers['webhook-endpoint']];
  const signed = ['dw1', id, timestamp, kind, headers['webhook-test'] ?? 'false', ...ids, body].join('\\n');
  const expected = Buffer.from('dw1,' + createHmac('sha256', key).update(signed).digest('base64'));
  return String(headers['webhook-signature']).split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`;

export const PYTHON_SNIPPET = `import base64, hashlib, hmac, os, time

SECRET = os.environ["WEBHOOK_SECRET"]  # whsec_…

def is_from_deskwire(headers, body):
    """headers: as received, in lower case. body: the raw bytes, before any parsing."""
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(SECRET[len("whsec_"):])
    fields = ["dw1", message_id, timestamp, headers["webhook-event"], headers.get("webhook-test", "false")]
    fields += [headers["webhook-account"], headers["webhook-endpoint"], ""]
    signed = "\\n".join(fields).encode() + body
    expected = "dw1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" "))
`;

/** Computes the `v1` signature of one request from its raw body. A test runs it unchanged. */
export const VERIFY_SNIPPET = `// WEBHOOK_SECRET=whsec_… node verify.mjs <webhook-id> <webhook-timestamp> < body.json
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [id, timestamp] = process.argv.slice(2);
const key = Buffer.from(process.env.WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
const signed = Buffer.concat([Buffer.from(\`\${id}.\${timestamp}.\`), readFileSync(0)]);
console.log('v1,' + createHmac('sha256', key).update(signed).digest('base64'));
`;
