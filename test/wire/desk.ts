import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Ask, Answer, outgoingOf } from './ask.js';
import { Browser } from './browser.js';
import { exchange } from './exchange.js';
import { MailServer } from './mail-server.js';
import { Normaliser } from './normaliser.js';
import { Quiet } from './quiet.js';
import { Receiver } from './receiver.js';
import type { Entry } from './recording.js';
import { steadyOrder } from './steady-order.js';

/** What `npm start` wrote of the account that it made. */
export interface FirstRun {
  readonly base_url: string;
  readonly account: string;
  readonly owner: { readonly email: string; readonly password: string };
  readonly mailbox: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
  readonly token: string;
}

interface Opening {
  readonly base: string;
  readonly firstRun: FirstRun;
  readonly ports: { readonly receiver: number; readonly smtp: number };
  readonly out: string;
}

/** Without ids and times: to the byte. */
const AS_IT_IS = /^GET \/assets\//;
const MAX_SHOWN = 2000;

/** The product under the recorder: what asks it, what it calls, and where both are written down. */
export class Desk {
  /** What scenes leave to later ones: ids, tokens, numbers. */
  readonly known: Record<string, string> = {};
  /** Personal access tokens, by what they may. */
  readonly tokens: Record<string, string>;
  readonly firstRun: FirstRun;
  readonly quiet: Quiet;
  count = 0;

  private readonly normaliser: Normaliser;
  private readonly file: number;
  private scene = '';
  private readonly startedAt = Date.now();

  private constructor(
    private readonly opening: Opening,
    readonly receiver: Receiver,
    readonly mail: MailServer,
  ) {
    this.firstRun = opening.firstRun;
    this.tokens = { owner: this.firstRun.token };
    this.normaliser = new Normaliser(new Date(), secretsOf(this.firstRun));
    this.quiet = new Quiet(this);
    this.file = fs.openSync(opening.out, 'w');
  }

  static async open(opening: Opening): Promise<Desk> {
    const { receiver, smtp } = opening.ports;
    return new Desk(opening, await Receiver.listen(receiver), await MailServer.listen(smtp));
  }

  get base(): string {
    return this.opening.base;
  }

  begin(scene: string): void {
    this.scene = scene;
    process.stderr.write(`${((Date.now() - this.startedAt) / 1000).toFixed(0).padStart(4)} s  ${scene}\n`);
  }

  /** A browser that nobody has signed in with yet. */
  browser(name: string): Browser {
    return new Browser(this, name);
  }

  /** `api('PUT /v1/tickets/1/state', { json: { state: 'closed' } })`: with the owner's token unless said. */
  api(line: string, ask: Ask = {}): Promise<Answer> {
    return this.ask(line, { ...ask, as: ask.as === undefined ? 'owner' : ask.as });
  }

  /** Asks and writes it down. */
  async ask(line: string, ask: Ask = {}): Promise<Answer> {
    const answer = await this.send(line, ask);
    const { normaliser } = this;
    await this.quiet.after(line, answer);
    const requestId = /^[\da-f-]{36}$/.exec(answer.header('x-request-id') ?? '')?.[0];
    const bodyLength = line.startsWith('HEAD') || answer.status === 304 ? undefined : answer.body.length;
    const { about: words, as, shown } = ask;
    this.write({
      line: normaliser.text(line),
      ...(words !== undefined && { about: words }),
      ...(as && { as }),
      ...(shown && { sent: normaliser.text(shown) }),
      ...(shown === undefined && this.sentOf(ask)),
      status: answer.status,
      headers: answer.headers.map(([name, value]) => normaliser.header(name, value, { requestId, bodyLength })).sort(),
      body:
        AS_IT_IS.test(line) && answer.status === 200
          ? answer.text
          : unordered(line, normaliser.text(this.steady(answer.text), requestId)),
    });
    return answer;
  }

  /** Asks without writing it down: for waiting. */
  async send(line: string, ask: Ask = {}): Promise<Answer> {
    const token = ask.as ? this.tokens[ask.as] : undefined;
    const outgoing = outgoingOf(line, ask, token);
    const answer = new Answer(await exchange(this.base, { outgoing, until: ask.until, onOpen: ask.onOpen }));
    if (/webhooks/.test(line)) this.receiver.learn(answer.text);
    await this.spare(answer, ask);
    return answer;
  }

  know(id: string): void {
    this.normaliser.know(id);
  }

  note(entry: Omit<Entry, 'scene'>): void {
    this.write({
      ...entry,
      headers: entry.headers.map((header) => this.normaliser.text(header)),
      body: this.normaliser.text(entry.body),
    });
  }

  settle(): Promise<void> {
    return this.quiet.settle();
  }

  end(): void {
    for (const entry of this.receiver.entries()) this.note(entry);
    for (const entry of this.mail.entries()) this.note(entry);
  }

  async close(): Promise<void> {
    fs.closeSync(this.file);
    await Promise.all([this.receiver.close(), this.mail.close()]);
  }

  /** The limit of a token's requests is an answer of its own; here it would only be in the way. */
  private async spare(answer: Answer, ask: Ask): Promise<void> {
    const [, left = '', seconds = ''] = /r=(\d+);t=(\d+)/.exec(answer.header('ratelimit') ?? '') ?? [];
    if (left !== '' && Number(left) < 30 && answer.status !== 429 && !ask.unsparing)
      await pause(Number(seconds) * 1000 + 200);
  }

  private steady(text: string): string {
    return steadyOrder(text, (part) => this.normaliser.soFar(part));
  }

  private sentOf({ json, form, raw, parts, headers }: Ask): { sent?: string } {
    const lines = Object.entries(headers ?? {}).map(([name, value]) =>
      this.normaliser.header(name, value.slice(0, MAX_SHOWN), {}),
    );
    const body = form
      ? new URLSearchParams(form as [string, string][]).toString()
      : (raw ?? JSON.stringify(json ?? parts));
    const text = [...lines, ...(body === undefined ? [] : [this.normaliser.text(body.slice(0, MAX_SHOWN))])].join('\n');
    return text === '' ? {} : { sent: text };
  }

  private write(entry: Omit<Entry, 'scene'>): void {
    this.count += 1;
    fs.writeSync(this.file, `${JSON.stringify({ scene: this.scene, ...entry })}\n`);
  }
}

/** The deliveries of one event are made at once and stand in any order on its page. */
function unordered(line: string, page: string): string {
  if (!/^GET \/settings\/events\/[\da-f-]{36}/.test(line)) return page;
  return page.replace(
    /(<h2 id="event-deliveries">.*?<tbody>)(.*?)(<\/tbody>)/s,
    (_all, before, rows: string, after) => {
      const sorted = rows
        .replaceAll(/uuid#\d+/g, 'uuid')
        .split(/(?=<tr>)/)
        .sort();
      return `${before}${sorted.join('')}${after}`;
    },
  );
}

function secretsOf(firstRun: FirstRun): ReadonlyMap<string, string> {
  return new Map([
    [firstRun.owner.password, '<password>'],
    [firstRun.client_id, '<client_id>'],
    [firstRun.client_secret, '<client_secret>'],
    [firstRun.token, '<token>'],
  ]);
}
