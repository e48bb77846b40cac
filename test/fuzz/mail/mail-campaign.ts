import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, postMail } from '#test/support/mails.js';
import { residentMiB } from '#test/support/process-memory.js';
import { type SeededAccount, seedAccount } from '#test/support/seed.js';
import { SeededChoices } from '#test/support/seeded-choices.js';
import { hostileMail } from './hostile-mails.js';

export interface MailCampaignOptions {
  readonly seed: number;
  readonly mails: number;
  readonly onProgress?: (progress: MailProgress) => void;
}

export interface MailProgress {
  readonly done: number;
  readonly seconds: number;
  readonly waitedMs: readonly number[];
}

export interface MailCampaignResult {
  readonly seed: number;
  readonly mails: number;
  readonly seconds: number;
  /** Sorted times from accepting each small mail of another account until its ticket. */
  readonly waitedMs: readonly number[];
  readonly outcomes: Readonly<Record<string, number>>;
  /** Processes that exited by themselves. */
  readonly died: readonly string[];
  /** Memory of the worker afterwards; 0 if it cannot be read. */
  readonly workerMiB: number;
}

/** Hostile emails that wait at once. */
const QUEUED = 10;
/** After this many emails the queue is emptied, and their files are removed. */
const ROUND = 50;
const PROBE_PAUSE_MS = 100;
const PATIENCE_MS = 10 * 60_000;
/** Time for unused memory to be released. */
const REST_MS = 5_000;

/** Sends hostile emails to one account, and small ones to another account all the while. */
export async function runMailCampaign(options: MailCampaignOptions): Promise<MailCampaignResult> {
  const desk = await startDesk();
  try {
    return await new MailCampaign(desk, options).run();
  } finally {
    await desk.stop();
  }
}

class MailCampaign {
  private readonly choices: SeededChoices;
  private readonly waitedMs: number[] = [];
  private isOver = false;

  constructor(
    private readonly desk: Desk,
    private readonly options: MailCampaignOptions,
  ) {
    this.choices = new SeededChoices(`mail ${options.seed}`);
  }

  async run(): Promise<MailCampaignResult> {
    const { desk } = this;
    const other = await seedAccount(desk.sql, { name: 'Other' });
    const worker = await desk.worker();
    const died: string[] = [];
    void worker.exited.then((code) => this.isOver || died.push(`the worker ended with ${code}`));
    await this.probe(other);
    this.waitedMs.length = 0;
    const began = performance.now();
    const probing = this.probeUntilOver(other);
    await this.sendAll(died, began).finally(() => (this.isOver = true));
    await probing;
    const seconds = (performance.now() - began) / 1000;
    await setTimeout(REST_MS);
    return {
      ...this.options,
      seconds,
      waitedMs: this.waitedMs,
      outcomes: await this.outcomes(),
      died,
      workerMiB: residentMiB(worker.pid),
    };
  }

  private async sendAll(died: readonly string[], began: number): Promise<void> {
    const { mails, onProgress } = this.options;
    for (let index = 0; index < mails && died.length === 0; index++) {
      await this.atMost(QUEUED - 1, died);
      await this.post(this.desk.account, hostileMail(index, this.choices));
      if ((index + 1) % ROUND === 0) {
        await this.atMost(0, died);
        await this.removeFiles();
      }
      onProgress?.({ done: index + 1, seconds: (performance.now() - began) / 1000, waitedMs: this.waitedMs });
    }
    await this.atMost(0, died);
  }

  private async probeUntilOver(other: SeededAccount): Promise<void> {
    while (!this.isOver) {
      await this.probe(other);
      await setTimeout(PROBE_PAUSE_MS);
    }
  }

  private async probe(other: SeededAccount): Promise<void> {
    const from = `customer-${this.waitedMs.length}@client.test`;
    const id = await this.post(other, mailText({ From: from }));
    const began = performance.now();
    await eventually(async () => this.isOver || (await this.stateOf(id)) !== 'waiting', { withinMs: PATIENCE_MS });
    this.waitedMs.push(performance.now() - began);
  }

  private async post({ mailbox, owner }: SeededAccount, mail: string | Uint8Array): Promise<string> {
    const { status, text, body } = await postMail(this.desk, mail, { mailbox: mailbox.email, token: owner.token });
    if (status !== 202) throw new Error(`An email was not accepted: ${status} ${text}`);
    return body.arrival.id as string;
  }

  private atMost(waiting: number, died: readonly string[]): Promise<unknown> {
    const read = async () => died.length > 0 || (await this.waiting()) <= waiting;
    return eventually(read, { withinMs: PATIENCE_MS });
  }

  private async waiting(): Promise<number> {
    return (await this.outcomes())['waiting'] ?? 0;
  }

  private async stateOf(id: string): Promise<string | undefined> {
    return (await this.desk.sql.query<{ state: string }>('select state from arrivals where id = $1', [id])).rows[0]
      ?.state;
  }

  private async outcomes(): Promise<Record<string, number>> {
    const text =
      "select state || coalesce(' ' || reason, '') as state, count(*)::int as count from arrivals where account_id = $1 group by 1";
    const { rows } = await this.desk.sql.query<{ state: string; count: number }>(text, [this.desk.account.id]);
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  }

  /** The files of thousands of emails would fill a disk. */
  private async removeFiles(): Promise<void> {
    const folder = this.desk.environment['DATA_DIR']!;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }
}
