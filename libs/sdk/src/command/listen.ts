import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Deskwire } from '../client.js';
import { delayBefore, pause } from '../retries.js';
import type { EventKind } from '../verify-webhook.js';
import { type FeedEvent, type Signer, forward } from './forward.js';

type Options = Readonly<Record<string, string | undefined>>;

/** A server that starts gets its events within two seconds. */
const MAX_DOUBLINGS = 3;

/** Returns the exit code. */
export async function listen(options: Options): Promise<number> {
  const [url, baseUrl] = [addressIn(options, 'forward'), addressIn(options, 'desk')];
  const { token = '', repeat, events } = options;
  const desk = new Deskwire({ baseUrl, token });
  const { account } = await desk.get('/v1/me');
  const repeated = repeat === undefined ? undefined : await findEvent(desk, repeat);
  const asked = repeated ? [repeated.event] : events?.split(',');
  const signers = await findSigners(desk, options, asked);
  const kinds = asked ?? [...signers.keys()];
  const own = { id: 'listen', secrets: [options['secret'] ?? `whsec_${randomBytes(32).toString('base64')}`] };
  if (options['secret'] === undefined && (kinds.length === 0 || kinds.some((kind) => !signers.has(kind))))
    print(`Events without a webhook are signed with --secret ${own.secrets[0]}`);
  const forwarder = new Forwarder(url, (kind) => signers.get(kind) ?? own);
  if (repeated) return (await forwarder.send(repeated)) === 'accepted' ? 0 : 1;
  print(`Forwarding ${kinds.join(', ') || 'all events'} to ${url} (Ctrl-C ends)`);
  const file = options['cursor-file'] ?? defaultFile([baseUrl, account.id, url, ...kinds]);
  const feed = new Deskwire({ baseUrl, token, retries: Infinity, timeoutMs: 60_000 });
  await forwarder.follow(feed, kinds, readPosition(file, options['since']), file);
  return 0;
}

function addressIn(options: Options, name: string): string {
  const address = options[name] ?? '';
  const isAllowed = URL.canParse(address) && /^https?:/.test(address) && new URL(address).username === '';
  if (!isAllowed) throw new Error(`Pass an http or https address without a user name as --${name}.`);
  return address;
}

/** Finds an event by its id, or by that of a delivery, which also tells whether it is a test. */
async function findEvent(desk: Deskwire, id: string): Promise<FeedEvent> {
  const found = await desk.get('/v1/deliveries/{id}', { path: { id } }).catch(() => undefined);
  const { event_id: eventId = id, test = false } = found?.delivery ?? {};
  return { ...(await desk.get('/v1/events/{id}', { path: { id: eventId } })).event, test };
}

async function findSigners(desk: Deskwire, { webhook, secret }: Options, kinds: readonly string[] | undefined) {
  const signers = new Map<string, Signer>();
  if (secret !== undefined) return signers;
  const one = webhook === undefined ? undefined : await desk.get('/v1/webhooks/{id}', { path: { id: webhook } });
  for await (const { id, event } of one ? [one.webhook] : desk.list('/v1/webhooks')) {
    if (kinds && !kinds.includes(event)) continue;
    const other = signers.get(event)?.id;
    if (other) throw new Error(`You have several webhooks of ${event}. Pass one as --webhook: ${other} or ${id}.`);
    const { secrets } = await desk.get('/v1/webhooks/{id}/secret', { path: { id } });
    signers.set(event, { id, secrets: secrets.map((each) => each.secret) });
  }
  return signers;
}

/** `since` is the start of the first run: it stays, so that the feed leaves out what was before. */
type Position = { readonly since: string; readonly cursor?: string };

function defaultFile(parts: readonly string[]): string {
  const name = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
  return join(process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local/state'), 'deskwire', `listen-${name}`);
}

function readPosition(file: string, asked = existsSync(file) ? readFileSync(file, 'utf8') : 'now'): Position {
  const [since = '', cursor] = asked.split('\n');
  return { since: since === 'now' ? new Date().toISOString() : since, ...(cursor && { cursor }) };
}

/** The file is replaced at once, so a killed process leaves the old position or the new one. */
function writePosition(file: string, { since, cursor = '' }: Position): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${since}\n${cursor}`);
  renameSync(`${file}.new`, file);
}

class Forwarder {
  private readonly stop = new AbortController();
  private readonly counts = { accepted: 0, failed: 0, down: 0 };

  constructor(
    private readonly url: string,
    private readonly signerOf: (kind: string) => Signer,
  ) {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => this.stop.abort());
  }

  /** Stores the position after each page, so a killed process forwards at most a page again. */
  async follow(feed: Deskwire, kinds: readonly string[], start: Position, file: string): Promise<void> {
    const { signal } = this.stop;
    for (let position = start; ;) {
      writePosition(file, position);
      const query = { ...position, ...(kinds.length > 0 && { event: kinds as EventKind[] }), per_page: 50, wait: 30 };
      const page = await feed.get('/v1/events', { query, signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      let isSent = page !== undefined;
      for (const event of page?.events ?? []) isSent = (await this.send(event)) !== undefined;
      if (!isSent) break;
      position = { ...position, cursor: page!.meta.cursor };
    }
    const { accepted, failed } = this.counts;
    print(`\nForwarded ${accepted + failed} events: ${accepted} accepted, ${failed} failed.`);
  }

  /** Waits while nothing listens at the address. Undefined after a signal. */
  async send(event: FeedEvent): Promise<'accepted' | 'failed' | undefined> {
    for (let tries = 0; !this.stop.signal.aborted; tries += 1) {
      const outcome = await forward(this.url, event, this.signerOf(event.event));
      this.counts[outcome] += 1;
      if (outcome !== 'down') return outcome;
      if (tries === 0) print(`Nothing listens at ${this.url}. Start your server; waiting …`);
      await pause(delayBefore(Math.min(tries, MAX_DOUBLINGS))!, this.stop.signal).catch(() => undefined);
    }
    return undefined;
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
