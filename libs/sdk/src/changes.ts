import type { CallOptions, Result } from './operations.js';
import { delayBefore, isWorthRetrying, pause } from './retries.js';

type Answer = Result<'/v1/changes', 'get'>;

/** The current state of a record, or its deletion. */
export type Change = Answer['changes'][number];

export interface ChangesPage {
  readonly changes: readonly Change[];
  /** Store it in the same transaction as the changes. */
  readonly cursor: string;
  readonly isCaughtUp: boolean;
}

export interface FollowOptions {
  /** The cursor of the last stored page. Without one, the feed starts with every record. */
  readonly cursor?: string | undefined;
  /** How long the server waits for a change. Default: 30. With 0, the pages end with the last change. */
  readonly waitSeconds?: number;
  readonly perPage?: number;
  /** Default: all. With fewer types, the token needs fewer scopes. */
  readonly types?: readonly Change['type'][];
  readonly signal?: AbortSignal;
}

type Query = {
  readonly cursor?: string;
  readonly per_page: number;
  readonly wait: number;
  readonly type?: Change['type'][];
};

const MAX_WAIT_SECONDS = 30;
const RESPONSE_MS = 30_000;

export class Changes {
  constructor(private readonly load: (query: Query, options: CallOptions) => Promise<Answer>) {}

  /**
   * Pages of changes. Retries transient failures until they succeed, and throws others, such as a cursor
   * from before a restore of the database (`cursor_of_another_history`).
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<ChangesPage> {
    const { waitSeconds = MAX_WAIT_SECONDS, perPage = 50, types, signal } = options;
    let { cursor } = options;
    const filter = { per_page: perPage, wait: waitSeconds, ...(types && { type: [...types] }) };
    for (;;) {
      if (signal?.aborted) return;
      const answer = await this.page({ ...filter, ...(cursor !== undefined && { cursor }) }, signal);
      if (!answer) return;
      const { changes, meta } = answer;
      cursor = meta.cursor;
      const isCaughtUp = meta.pagination.next_page === null;
      yield { changes, cursor, isCaughtUp };
      if (isCaughtUp && waitSeconds === 0) return;
    }
  }

  private async page(query: Query, signal?: AbortSignal) {
    const options = { timeoutMs: query.wait * 1000 + RESPONSE_MS, ...(signal && { signal }) };
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.load(query, options);
      } catch (error) {
        if (signal?.aborted) return undefined;
        if (!isWorthRetrying(error)) throw error;
        await pause(delayBefore(failures) ?? 0, signal).catch(() => undefined);
      }
    }
  }
}
