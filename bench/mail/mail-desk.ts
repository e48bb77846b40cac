import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../apps/launcher/src/ports.js';
import { ready } from '#test/support/app-process.js';
import { type SeededAccount, seedAccount } from '#test/support/seed.js';
import { BenchProcess } from '../bench-process.js';
import type { BenchSetup } from '../delivery/bench-setup.js';
import { startArrivals } from '../one/first-seconds.js';
import type { SendingSpec, Sent } from './senders.js';

const ARRIVAL_TIMEOUT_MS = 300_000;

type Sending = Pick<SendingSpec, 'count' | 'perSecond' | 'connections'>;

interface Places {
  readonly apiPid: number;
  readonly mailPort: number;
  readonly base: string;
  readonly arrivalsAt: string;
}

/** An API with its mail port, and an account with a mailbox whose tickets notify a receiver. */
export class MailDesk {
  private runs = 0;

  private constructor(
    private readonly setup: BenchSetup,
    readonly account: SeededAccount,
    private readonly places: Places,
    /** Environment of its workers. */
    readonly environment: Readonly<Record<string, string>>,
  ) {}

  static async start(setup: BenchSetup): Promise<MailDesk> {
    const [port, mailPort] = [await freePort(), await freePort()];
    const environment = {
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '1000000',
      MAIL_ALLOWED_NETWORKS: '127.0.0.0/8',
      MAIL_PORT: `${mailPort}`,
      STORAGE_URL: fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-bench-mail-')),
    };
    const api = setup.process('api.js', { environment: { ...environment, PORT: `${port}` } });
    const base = `http://127.0.0.1:${port}`;
    await ready(base, { withinMs: 30_000 });
    const arrivalsAt = await startArrivals(setup);
    const account = await seedAccount(setup.sql);
    await setup.subscribers.subscribe(account.id, arrivalsAt);
    return new MailDesk(setup, account, { apiPid: api.pid, mailPort, base, arrivalsAt }, environment);
  }

  async worker(): Promise<BenchProcess> {
    const port = await freePort();
    const worker = this.setup.worker({ ...this.environment, WORKER_PORT: `${port}` });
    await ready(`http://127.0.0.1:${port}`, { withinMs: 30_000 });
    return worker;
  }

  get apiPid(): number {
    return this.places.apiPid;
  }

  /** Sends emails from another process until the last one is accepted. */
  async send(sending: Sending): Promise<Sent> {
    await fetch(this.places.arrivalsAt, { method: 'DELETE' });
    const spec: SendingSpec = {
      ...sending,
      port: this.places.mailPort,
      to: this.account.mailbox.email,
      run: `${++this.runs}`,
    };
    const child = BenchProcess.start('bench/mail/senders.js', { input: JSON.stringify(spec) });
    return child.nextJsonWith<Sent>('accepted');
  }

  /** When the mail server accepted each email, and when the receiver got its ticket_started. */
  async received(count: number): Promise<[sentUs: number, arrivedUs: number][]> {
    const { arrivalsAt } = this.places;
    for (const end = Date.now() + ARRIVAL_TIMEOUT_MS; Date.now() < end; await wait(20)) {
      const { seen } = (await (await fetch(`${arrivalsAt}seen`)).json()) as { seen: number };
      if (seen >= count) return (await (await fetch(arrivalsAt)).json()) as [number, number][];
    }
    throw new Error(`Fewer than ${count} tickets of mails arrived.`);
  }

  async call(method: string, way: string, body: object): Promise<void> {
    const answer = await fetch(this.places.base + way, {
      method,
      headers: { authorization: `Bearer ${this.account.owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${way}: ${answer.status} ${await answer.text()}`);
  }

  removeFiles(): void {
    fs.rmSync(this.environment['STORAGE_URL']!, { recursive: true, force: true });
  }
}
