import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { readSecrets } from './api-secrets.js';

const HELP = `Prints incoming webhooks and whether their signatures are valid.

  npm run receiver                              on http://127.0.0.1:4000/, with the secrets of the API
  npm run receiver -- --port 4001               on another port
  npm run receiver -- --secret whsec_…          verify with this secret (may be given more than once)
  npm run receiver -- --status 503              respond with this status, to test retries

Without --secret it asks the API in first-run.json (in DATA_DIR, .data by default) for the secrets of the webhooks that
point at this port.
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4000' },
    secret: { type: 'string', multiple: true, default: [] },
    status: { type: 'string', default: '204' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const port = Number(values.port);
const status = Number(values.status);
let secrets = values.secret;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(status).end();
    void show(request.headers as Record<string, string>, Buffer.concat(chunks).toString('utf8'));
  });
});

async function show(headers: Record<string, string>, body: string): Promise<void> {
  const [event, attempt, sequence, id] = ['event', 'attempt', 'sequence', 'id'].map(
    (name) => headers[`webhook-${name}`] ?? '?',
  );
  const test = headers['webhook-test'] === 'true' ? '  TEST, its record does not exist' : '';
  print(`\n${event}${test}  attempt ${attempt}  sequence ${sequence}  id ${id}  ${await verdict(headers, body)}`);
  print(pretty(body));
}

/** Reads the secrets of the API again if none matches, because a webhook may be new. */
async function verdict(headers: Record<string, string>, body: string): Promise<string> {
  const isSigned = () => secrets.some((secret) => verifies(secret, headers, body));
  if (values.secret.length === 0 && !isSigned()) secrets = await readSecrets(port).catch(() => []);
  if (secrets.length === 0) return 'signature not checked: give --secret whsec_…';
  return isSigned() ? 'signature ok' : 'INVALID SIGNATURE';
}

function verifies(secret: string, headers: Record<string, string>, body: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return headers['webhook-signature']!.split(' ').includes(signatureOf(secret, headers, body));
  } catch {
    return false;
  }
}

/** The library verifies `v1`, which does not cover the printed event. */
function signatureOf(secret: string, headers: Record<string, string>, body: string): string {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-event': event } = headers;
  const ids = [headers['webhook-account'], headers['webhook-endpoint']];
  const signed = ['dw1', id, timestamp, event, headers['webhook-test'] ?? 'false', ...ids, body].join('\n');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `dw1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

if (values.help) {
  print(HELP);
} else {
  server.on('error', (error: NodeJS.ErrnoException) => {
    const taken = error.code === 'EADDRINUSE';
    process.stderr.write(
      taken
        ? `Port ${port} is in use. Choose another one: npm run receiver -- --port ${port + 1}\n`
        : `${error.message}\n`,
    );
    process.exit(1);
  });
  server.listen(port, '127.0.0.1', () => print(`Waiting for webhooks on http://127.0.0.1:${port}/ (Ctrl-C ends)`));
}
