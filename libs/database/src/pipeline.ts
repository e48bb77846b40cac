import type { PoolClient, QueryResult } from 'pg';
import type { Asked } from './prepared-query.js';
import { StatementBatch } from './statement-batch.js';
import type { Prepared } from './statements.js';

export const BEGIN: Prepared = { name: 'tx_begin', text: 'begin', values: [] };
export const COMMIT: Prepared = { name: 'tx_commit', text: 'commit', values: [] };

/** From then on the connection may be somebody else’s. */
const ENDED = 'The transaction has ended';

/**
 * The statements of one transaction, on one connection. BEGIN goes together with the first of them, what nobody waits
 * for with the next one that somebody does, and COMMIT with all that is left: a transaction that reads and then writes
 * takes two round trips. docs/decisions/pipelined-transactions.md says more.
 */
export class Pipeline {
  private waiting: Asked[] = [];
  private readonly sequels: (() => Prepared | undefined)[] = [];
  private latest: Promise<unknown> = Promise.resolve();
  private readonly openings: number;
  private begun = false;
  private ended = false;

  /** `settings` go with BEGIN, where the session is not ours. */
  constructor(
    private readonly client: PoolClient,
    settings?: Prepared,
  ) {
    const opening = settings ? [BEGIN, settings] : [BEGIN];
    for (const statement of opening) this.send(statement);
    this.openings = opening.length;
  }

  /** Those that are asked at the same moment, without waiting for each other, go together. */
  query(statement: Prepared): Promise<QueryResult> {
    if (this.ended) return Promise.reject(new Error(ENDED));
    const answer = this.add(statement);
    queueMicrotask(() => this.flush());
    return answer;
  }

  /** For what has no answer. If it fails, so does whatever comes after it, the commit at the latest. */
  send(statement: Prepared): void {
    this.requireOpen();
    this.add(statement).catch(() => undefined);
  }

  /** Asked when COMMIT is about to go: what it gives goes along, is done after it, and not at all if that fails. */
  atCommit(sequel: () => Prepared | undefined): void {
    this.requireOpen();
    this.sequels.push(sequel);
  }

  /** The transaction has begun, and everything so far is done. For whoever asks the connection past this. */
  async arrive(): Promise<void> {
    this.requireOpen();
    this.flush();
    await this.latest;
  }

  async commit(): Promise<void> {
    const nothingAsked = !this.begun && this.waiting.length === this.openings;
    if (nothingAsked) return this.end();
    const committed = this.add(COMMIT);
    for (const sequel of this.sequels) this.addSequel(sequel());
    this.flush();
    this.end();
    // PostgreSQL answers ROLLBACK if an earlier statement failed and whoever asked it went on.
    if ((await committed).command !== 'COMMIT') throw new Error('A statement had failed, so all were rolled back');
  }

  /** What was not sent yet never is. */
  async rollback(): Promise<void> {
    this.end();
    if (this.begun) await this.client.query('rollback');
  }

  private requireOpen(): void {
    if (this.ended) throw new Error(ENDED);
  }

  private add(statement: Prepared): Promise<QueryResult> {
    const answer = new Promise<QueryResult>((resolve, reject) => {
      this.waiting.push({ ...statement, resolve, reject });
    });
    this.latest = answer;
    return answer;
  }

  private addSequel(statement: Prepared | undefined): void {
    if (statement) this.add(statement).catch(() => undefined);
  }

  private flush(): void {
    if (this.waiting.length === 0) return;
    this.begun = true;
    this.client.query(new StatementBatch(this.waiting));
    this.waiting = [];
  }

  private end(): void {
    this.ended = true;
    for (const { reject } of this.waiting.splice(0)) reject(new Error('The transaction was rolled back'));
  }
}
