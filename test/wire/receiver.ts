import { createHmac } from 'node:crypto';
import http from 'node:http';
import { pairsOf } from './exchange.js';
import type { Entry } from './recording.js';

interface Arrived {
  readonly path: string;
  /** Of the headers that say which delivery it is. */
  readonly signed: {
    readonly id: string;
    readonly timestamp: string;
    readonly sequence: string;
    readonly attempt: string;
  };
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** What is answered at an address, by its first part; 200 elsewhere. */
const REPLIES: Readonly<Record<string, { status: number; headers?: http.OutgoingHttpHeaders; body: string }>> = {
  fail: { status: 500, body: 'The receiver is <b>broken</b>.' },
  gone: { status: 410, body: 'Nobody lives here any more.' },
  moved: { status: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' }, body: '' },
};

/** Takes webhooks down. They come in any order, so they are written in that of what they tell. */
export class Receiver {
  private readonly arrived: Arrived[] = [];
  private readonly secrets = new Set<string>();
  /** Answers `fail` with 200 from now on. */
  mended = false;

  private constructor(
    private readonly server: http.Server,
    readonly url: string,
  ) {}

  static listen(port: number): Promise<Receiver> {
    const server = http.createServer();
    const receiver = new Receiver(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => receiver.take(request, response));
    return new Promise((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', () => resolve(receiver));
    });
  }

  /** Whether an event has arrived where each kind is sent once. */
  heard(id: string): boolean {
    return this.arrived.some(({ signed, path }) => signed.id === id && path.startsWith('/hook/'));
  }

  /** Any text may name secrets of webhooks, which the signatures are held to. */
  learn(text: string): void {
    for (const [secret] of text.matchAll(/whsec_[\w+/]{43}=/g)) this.secrets.add(secret);
  }

  get count(): number {
    return this.arrived.length;
  }

  entries(): Omit<Entry, 'scene'>[] {
    return this.arrived
      .toSorted((one, other) => keyOf(one).localeCompare(keyOf(other), 'en', { numeric: true }))
      .map((one) => ({
        line: `delivered POST ${one.path}`,
        headers: one.headers.map(([name, value]) => `${name}: ${this.steady(one, name.toLowerCase(), value)}`).sort(),
        body: one.body.toString(),
      }));
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private take(request: http.IncomingMessage, response: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers, rawHeaders } = request;
      const named = (name: string): string => String(headers[`webhook-${name}`]);
      const signed = {
        id: named('id'),
        timestamp: named('timestamp'),
        sequence: named('sequence'),
        attempt: named('attempt'),
      };
      this.arrived.push({ path, signed, headers: pairsOf(rawHeaders), body: Buffer.concat(chunks) });
      this.reply(path, response);
    });
  }

  /** A signature says something else each time; whether it is right must not. */
  private steady({ signed, body }: Arrived, name: string, value: string): string {
    if (name === 'content-length') return Number(value) === body.length ? '<length of the body>' : value;
    if (name !== 'webhook-signature') return value;
    const good = new Set([...this.secrets].map((secret) => signatureOf(secret, signed, body)));
    return value
      .split(' ')
      .map((signature) => (good.has(signature) ? 'v1,<good signature>' : signature))
      .join(' ');
  }

  private reply(path: string, response: http.ServerResponse): void {
    const name = path.split('/')[1] ?? '';
    const reply = this.mended && name === 'fail' ? undefined : REPLIES[name];
    response.writeHead(reply?.status ?? 200, { 'content-type': 'text/plain', ...reply?.headers });
    response.end(reply?.body ?? 'ok');
  }
}

const keyOf = ({ path, signed: { sequence, id, attempt } }: Arrived): string => [path, sequence, id, attempt].join(' ');

/** As https://www.standardwebhooks.com has it. */
function signatureOf(secret: string, { id, timestamp }: Arrived['signed'], body: Buffer): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}
