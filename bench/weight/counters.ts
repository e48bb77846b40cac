import { Redis } from 'ioredis';
import type { Client } from 'pg';

/** Counts of the servers’ work, which no noise of the machine moves. */
export interface Weight {
  readonly walRecords: number;
  readonly walBytes: number;
  readonly rows: number;
  readonly statements: number;
  readonly commits: number;
  readonly redisCommands: number;
}

/** PostgreSQL adds the counts of an idle session up to ten seconds late. */
export const COMMITS_SETTLE_MS = 10_500;

interface Counts {
  readonly lsn: string;
  readonly statements: number;
  readonly commits: number;
  readonly redisCommands: number;
}

const STATEMENTS = `
  select pg_current_wal_lsn() as lsn,
    (select coalesce(sum(calls), 0)::int from pg_stat_statements where query not like '%pg_stat_statements%') as statements,
    (select xact_commit::int from pg_stat_database where datname = current_database()) as commits`;

/** Rows are counted in the write-ahead log, which has them at once. */
const WAL = `
  select count(*)::int as "walRecords", sum(record_length - fpi_length)::int as "walBytes",
    sum(case when resource_manager <> 'Heap' and record_type <> 'MULTI_INSERT' then 0
      when record_type like 'MULTI_INSERT%' then substring(description from 'ntuples: (\\d+)')::int
      when record_type ~ '^(INSERT|UPDATE|HOT_UPDATE|DELETE)' then 1 else 0 end)::int as rows
  from pg_get_wal_records_info($1, $2)`;

export class Counters {
  private constructor(
    private readonly sql: Client,
    private readonly redis: Redis | undefined,
  ) {}

  static async open(sql: Client, redisUrl: string | undefined): Promise<Counters> {
    await sql.query('create extension if not exists pg_stat_statements');
    await sql.query('create extension if not exists pg_walinspect');
    // Applies to sessions that start from now on.
    await sql.query(
      "do $$ begin execute format('alter database %I set pg_stat_statements.track = top', current_database()); end $$",
    );
    return new Counters(sql, redisUrl === undefined ? undefined : new Redis(redisUrl));
  }

  async read(): Promise<Counts> {
    const { rows } = await this.sql.query<Omit<Counts, 'redisCommands'>>(STATEMENTS);
    return { ...rows[0]!, redisCommands: await this.redisCommands() };
  }

  async since(before: Counts): Promise<Weight> {
    const after = await this.read();
    const { rows } = await this.sql.query<Pick<Weight, 'walRecords' | 'walBytes' | 'rows'>>(WAL, [
      before.lsn,
      after.lsn,
    ]);
    return {
      ...rows[0]!,
      statements: after.statements - before.statements,
      commits: after.commits - before.commits,
      redisCommands: after.redisCommands - before.redisCommands,
    };
  }

  close(): void {
    this.redis?.disconnect();
  }

  /** Includes commands inside scripts. */
  private async redisCommands(): Promise<number> {
    const stats = (await this.redis?.info('commandstats')) ?? '';
    const calls = [...stats.matchAll(/^cmdstat_(?!info|config)\S+:calls=(\d+)/gm)];
    return calls.reduce((sum, [, count]) => sum + Number(count), 0);
  }
}
