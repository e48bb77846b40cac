import type { Pool, PoolClient, PoolConfig, QueryResult } from 'pg';
import { connectionOptions } from '../connection-options.js';
import { GrowingPool } from '../growing-pool.js';
import type { SessionSettings } from '../session-settings.js';
import { StatementBatch } from '../statement-batch.js';
import type { Prepared } from '../statements.js';
import { KnownPositions } from './known-positions.js';
import { REACHED, type WalPosition, walPosition } from './wal-position.js';

/** The replica is looked at so often, and the primary is asked where it is. */
export const LOOK_EVERY_MS = 1_000;

/** A replica that does not answer for so long is given up, and whoever waits for it reads the primary. */
const ANSWER_WITHIN_MS = 2_000;

/**
 * What became of a read that may be stale: read from the replica; or read from the primary, because the replica did not
 * have what the reader had written, was too far behind, failed, or was away.
 */
export type ReplicaOutcome = 'replica' | 'own_write' | 'behind' | 'failed' | 'away';

export interface ReplicaOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly app: string;
  readonly settings: SessionSettings;
  readonly maxLagMs: number;
}

/** What a server that may be a replica said of itself, with the answer to the statement, in one round trip. */
interface Answer {
  readonly reached: WalPosition;
  readonly result: QueryResult;
}

/** One address, behind which there may be several replicas: what counts is how far the one is that answers. */
export class Replica {
  readonly outcomes: Record<ReplicaOutcome, number> = { replica: 0, own_write: 0, behind: 0, failed: 0, away: 0 };
  private readonly pool: Pool;
  /** A connection of its own, so that it does not wait behind those who read. */
  private readonly probe: Pool;
  private readonly state: Prepared;
  private readonly positions: KnownPositions;
  /** Where it was when it was last looked at. Undefined while it does not answer. */
  private reached: WalPosition | undefined;
  /** Aborted when it is found away. */
  private connected = new AbortController();

  constructor(private readonly options: ReplicaOptions) {
    const shared = {
      ...connectionOptions(options.url),
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      application_name: `deskwire-${options.app}-replica`,
    };
    this.pool = poolOf({ ...shared, max: options.poolSize });
    this.probe = poolOf({ ...shared, max: 1, query_timeout: ANSWER_WITHIN_MS });
    this.state = stateOf(options.settings);
    this.positions = new KnownPositions(options.maxLagMs + 2 * LOOK_EVERY_MS);
  }

  /** The answer, if the server that gives it has this position and is not too far behind. */
  async query(statement: Prepared, after: WalPosition): Promise<QueryResult | undefined> {
    if (this.reached === undefined) return this.count('away');
    try {
      const { reached, result } = await this.ask(statement);
      if (reached < after) return this.count('own_write');
      if (this.isBehind(reached)) return this.count('behind');
      this.outcomes.replica += 1;
      return result;
    } catch {
      // The primary answers, or says what is wrong with the question.
      return this.count('failed');
    }
  }

  /** `askPrimary`: where the primary is. */
  async look(askPrimary: () => Promise<WalPosition>): Promise<void> {
    const askedAt = performance.now();
    const [primary, here] = await Promise.allSettled([askPrimary(), this.probe.query<{ lsn: string }>(this.state)]);
    if (primary.status === 'fulfilled') this.positions.add(primary.value, askedAt);
    if (here.status === 'fulfilled') this.reached = walPosition(here.value.rows[0]!.lsn);
    else this.giveUp();
  }

  /** Undefined where it does not answer. */
  get lagMs(): number | undefined {
    return this.reached === undefined ? undefined : this.positions.lagAt(this.reached, performance.now());
  }

  async end(): Promise<void> {
    await Promise.all([this.pool.end(), this.probe.end()]);
  }

  private count(outcome: ReplicaOutcome): undefined {
    this.outcomes[outcome] += 1;
  }

  private isBehind(reached: WalPosition): boolean {
    return this.positions.ageAt(reached, performance.now()) > this.options.maxLagMs;
  }

  private giveUp(): void {
    this.reached = undefined;
    this.connected.abort();
    this.connected = new AbortController();
  }

  private async ask(statement: Prepared): Promise<Answer> {
    const client = await this.pool.connect();
    const { signal } = this.connected;
    const hangUp = (): unknown => client.connection.stream.destroy();
    signal.addEventListener('abort', hangUp);
    try {
      const answer = await inOneRoundTrip(client, this.state, statement);
      client.release();
      return answer;
    } catch (error) {
      client.release(error as Error);
      throw error;
    } finally {
      signal.removeEventListener('abort', hangUp);
    }
  }
}

/**
 * The settings hold for what is sent in the same piece, so the address may lead through a pooler. How far the server is,
 * it says before it looks at the rows: they cannot be older.
 */
const stateOf = (settings: SessionSettings): Prepared => ({
  name: 'replica_state',
  text: `select ${Object.entries({ ...settings, transaction_read_only: 'on' })
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}, ${REACHED} as lsn`,
  values: [],
});

function inOneRoundTrip(client: PoolClient, state: Prepared, statement: Prepared): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let reached: WalPosition | undefined;
    const hear = ({ rows }: QueryResult): void => void (reached = walPosition((rows[0] as { lsn: string }).lsn));
    client.query(
      new StatementBatch([
        { ...state, resolve: hear, reject },
        { ...statement, resolve: (result) => resolve({ reached: reached!, result }), reject },
      ]),
    );
  });
}

/** The loss of a connection that nobody uses is found out by the next look. */
const poolOf = (options: object): Pool => new GrowingPool(options as PoolConfig).on('error', () => undefined);
