import type { PoolClient, QueryResult } from 'pg';
import type { PendingStatement } from './prepared-query.js';
import { StatementBatch } from './statement-batch.js';
import type { Precondition } from './connection.js';
import { BEGIN, COMMIT, type Prepared } from './statements.js';

const ENDED = 'The transaction has ended';

/**
 * BEGIN goes with the first statement, a statement without a reader with the next one that has one, and COMMIT with all
 * that is left: a transaction that reads and then writes takes two round trips. See
 * docs/decisions/pipelined-transactions.md.
 */
export class Pipeline {
  private unsent: PendingStatement[] = [];
  private readonly followers: (() => Prepared | undefined)[] = [];
  private latest: Promise<unknown> = Promise.resolve();
  private openings: number;
  private requirement: Promise<void> | undefined;
  private begun = false;
  private ended = false;

  constructor(
    private readonly client: PoolClient,
    settings?: Prepared,
  ) {
    const opening = settings ? [BEGIN, settings] : [BEGIN];
    for (const statement of opening) this.send(statement);
    this.openings = opening.length;
  }

  /** Statements of one tick are sent together. */
  query(statement: Prepared): Promise<QueryResult> {
    if (this.ended) return Promise.reject(new Error(ENDED));
    const answer = this.add(statement);
    queueMicrotask(() => this.flush());
    return answer;
  }

  /** If it fails, so does every later statement, at the latest the commit. */
  send(statement: Prepared): void {
    this.later(statement).catch(() => undefined);
  }

  later(statement: Prepared): Promise<QueryResult> {
    this.requireOpen();
    return this.add(statement);
  }

  require({ accept, ...statement }: Precondition): void {
    this.requirement = this.add(statement).then(({ rows }) => accept(rows));
    this.requirement.catch(() => undefined);
    this.openings += 1;
  }

  /** Rejects if the transaction must be rolled back. */
  async permitted(): Promise<void> {
    if (this.requirement && !this.begun) this.flush();
    await this.requirement;
  }

  /** Its statement runs only after a successful commit. */
  atCommit(follower: () => Prepared | undefined): void {
    this.requireOpen();
    this.followers.push(follower);
  }

  /** For code that uses the connection directly (TypeORM). */
  async settle(): Promise<void> {
    this.requireOpen();
    this.flush();
    await this.latest;
  }

  async commit(): Promise<void> {
    const isEmpty = !this.begun && this.unsent.length === this.openings;
    if (isEmpty) return this.end();
    const committed = this.add(COMMIT);
    for (const follower of this.followers) {
      const statement = follower();
      if (statement) this.send(statement);
    }
    this.flush();
    this.end();
    // PostgreSQL reports ROLLBACK if a caller caught the error of a failed statement.
    if ((await committed).command !== 'COMMIT') throw new Error('A statement had failed, so all were rolled back');
  }

  async rollback(): Promise<void> {
    this.end();
    if (this.begun) await this.client.query('rollback');
  }

  private requireOpen(): void {
    if (this.ended) throw new Error(ENDED);
  }

  private add(statement: Prepared): Promise<QueryResult> {
    const answer = new Promise<QueryResult>((resolve, reject) => {
      this.unsent.push({ ...statement, resolve, reject });
    });
    this.latest = answer;
    return answer;
  }

  private flush(): void {
    if (this.unsent.length === 0) return;
    this.begun = true;
    this.client.query(new StatementBatch(this.unsent));
    this.unsent = [];
  }

  private end(): void {
    this.ended = true;
    for (const { reject } of this.unsent.splice(0)) reject(new Error('The transaction was rolled back'));
  }
}
