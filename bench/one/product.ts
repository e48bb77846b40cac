import { fileURLToPath } from 'node:url';
import { freePort } from '../../apps/launcher/src/ports.js';
import { ready } from '#test/support/app-process.js';
import { type SeededAccount, seedAccount } from '#test/support/seed.js';
import type { BenchProcess } from '../bench-process.js';
import type { BenchSetup } from '../delivery/bench-setup.js';
import { postgresPid, redisPid } from '../server-pids.js';
import type { Contestant } from './contestant.js';
import type { Target } from './open-loop.js';

const TICKETS_OF_ONE = 20;
const TICKETS_OF_EACH = 4;
const MANY_ACCOUNTS = 50;

const API_LOGS = { LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' };

/** Number of webhooks that receive each event. */
const RECEIVERS = { 'one account': 1, 'fifty accounts': 1, 'twenty receivers': 20, 'eight receivers of ten': 8 };
const EVENT_OF = { note: 'note_added', reply: 'agent_replied', ticket: 'ticket_started', 'fan-out': 'note_added' };
const BAD_RECEIVERS = ['fails', 'hangs'];

export type Crowd = keyof typeof RECEIVERS;

/** The API and a worker as in production, with accounts, tickets and webhooks. */
export class Product {
  private readonly crowds = new Map<Crowd, readonly Target[]>();

  private constructor(
    private readonly setup: BenchSetup,
    private readonly processes: readonly BenchProcess[],
    private readonly base: string,
    private readonly arrivalsAt: string,
    private readonly pids: Readonly<Record<string, number>>,
  ) {}

  /** With `spansTo`, each process writes its spans to a file named after its part. */
  static async start(
    setup: BenchSetup,
    arrivalsAt: string,
    { spansTo, environment = {} }: { spansTo?: string; environment?: Readonly<Record<string, string>> } = {},
  ): Promise<Product> {
    const [port, workerPort] = [await freePort(), await freePort()];
    const api = setup.process(fileOf('api', spansTo), {
      environment: { ...API_LOGS, PORT: `${port}`, ...environment, ...spansOf('api', spansTo) },
    });
    const worker = setup.worker(
      { WORKER_PORT: `${workerPort}`, ...environment, ...spansOf('worker', spansTo) },
      { file: fileOf('worker', spansTo) },
    );
    const base = `http://127.0.0.1:${port}`;
    for (const url of [base, `http://127.0.0.1:${workerPort}`]) await ready(url, { withinMs: 30_000 });
    const redis = setup.settings.REDIS_URL;
    return new Product(setup, [api, worker], base, arrivalsAt, {
      api: api.pid,
      worker: worker.pid,
      postgresql: await postgresPid(setup.sql),
      ...(redis && { redis: await redisPid(redis) }),
    });
  }

  /** Creates senders and receivers on the first call. */
  async contestant(crowd: Crowd): Promise<Contestant> {
    const targets = this.crowds.get(crowd) ?? (await this.prepare(crowd));
    this.crowds.set(crowd, targets);
    return this.contestantOf(targets, RECEIVERS[crowd]);
  }

  /** Reuses targets that another start has created. */
  contestantOf(targets: readonly Target[], receivers: number): Contestant {
    return { base: this.base, targets, receivers, arrivalsAt: this.arrivalsAt, pids: this.pids };
  }

  /** Requests of one kind, each an event for one webhook, or for twenty. */
  async writers(kind: 'note' | 'reply' | 'ticket' | 'fan-out'): Promise<Contestant> {
    const account = await seedAccount(this.setup.sql);
    const receivers = kind === 'fan-out' ? 20 : 1;
    await this.setup.sql.query('update mailboxes set replies_by_mail = $2 where account_id = $1', [
      account.id,
      kind === 'reply',
    ]);
    for (const place of placesUpTo(receivers))
      await this.setup.subscribers.subscribe(account.id, `${this.arrivalsAt}${place}`, EVENT_OF[kind]);
    for (let place = 0; place < TICKETS_OF_ONE; place++) await this.createTicket(account, place);
    const targets = Array.from({ length: TICKETS_OF_ONE }, (_, place) => {
      if (kind === 'ticket') return { ...targetOf(account, '/v1/tickets'), fields: ticketFields(account, place) };
      const target = targetOf(account, `/v1/tickets/${place + 1}/messages`);
      return kind === 'reply' ? target : { ...target, fields: { note: true } };
    });
    return this.contestantOf(targets, receivers);
  }

  /** A contestant whose requests start tickets. */
  async newTickets(): Promise<{ contestant: Contestant; body: () => string }> {
    const account = await seedAccount(this.setup.sql);
    let customers = 0;
    return {
      contestant: { ...(await this.contestant('one account')), targets: [targetOf(account, '/v1/tickets')] },
      body: () => newTicket(account, customers++),
    };
  }

  async stop(): Promise<void> {
    for (const process of this.processes) await process.stop();
  }

  private async prepare(crowd: Crowd): Promise<Target[]> {
    const bad = crowd === 'eight receivers of ten' ? BAD_RECEIVERS : [];
    if (crowd !== 'fifty accounts')
      return this.prepareAccount(TICKETS_OF_ONE, [...placesUpTo(RECEIVERS[crowd]), ...bad]);
    const each: Target[][] = [];
    for (let count = 0; count < MANY_ACCOUNTS; count++)
      each.push(await this.prepareAccount(TICKETS_OF_EACH, placesUpTo(1)));
    // Alternates, so that consecutive requests never belong to one account.
    return Array.from({ length: TICKETS_OF_EACH }, (_, place) => each.map((targets) => targets[place]!)).flat();
  }

  private async prepareAccount(tickets: number, receivers: readonly string[]): Promise<Target[]> {
    const account = await seedAccount(this.setup.sql);
    const targets: Target[] = [];
    for (let place = 0; place < tickets; place++) {
      await this.createTicket(account, place);
      targets.push(targetOf(account, `/v1/tickets/${place + 1}/messages`));
    }
    for (const receiver of receivers)
      await this.setup.subscribers.subscribe(account.id, `${this.arrivalsAt}${receiver}`, 'agent_replied');
    return targets;
  }

  private async createTicket(account: SeededAccount, place: number): Promise<void> {
    const { path, headers } = targetOf(account, '/v1/tickets');
    const answer = await fetch(new URL(path, this.base), {
      method: 'POST',
      headers,
      body: newTicket(account, place, 'opened'),
    });
    if (!answer.ok) throw new Error(`A ticket was refused: ${await answer.text()}`);
  }
}

const placesUpTo = (count: number): string[] => Array.from({ length: count }, (_, place) => `${place}`);

const ticketFields = ({ mailbox }: SeededAccount, place: number, state = 'unread'): object => ({
  from: `customer${place}@client.test`,
  to: mailbox.email,
  state,
});

const newTicket = (account: SeededAccount, place: number, state?: string): string =>
  JSON.stringify({ body: 'Hello', ...ticketFields(account, place, state) });

function targetOf({ owner }: SeededAccount, path: string): Target {
  return { path, headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' } };
}

function spansOf(part: string, folder: string | undefined): Record<string, string> {
  if (folder === undefined) return {};
  const recorder = fileURLToPath(new URL('record-spans.js', import.meta.url));
  return { SPANS_FILE: `${folder}/${part}.json`, NODE_OPTIONS: `--import=${recorder}` };
}

/** A bundle contains its own copies of the recorded libraries. */
const fileOf = (app: 'api' | 'worker', spansTo?: string): string =>
  spansTo === undefined ? `${app}.js` : `apps/${app}/src/main.js`;
