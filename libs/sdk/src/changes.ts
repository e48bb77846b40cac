import type { CallOptions, Result } from './operations.js';
import { delayBefore, isWorthRetrying, pause } from './retries.js';

type Answer = Result<'/v1/changes', 'get'>;

/** A record as it is now, or that it is gone. */
export type Change = Answer['changes'][number];

export interface ChangesPage {
  readonly changes: readonly Change[];
  /** Where to go on. Keep it together with what you made of the changes. */
  readonly cursor: string;
  /** There was nothing more at that moment. */
  readonly isCaughtUp: boolean;
}

export interface FollowOptions {
  /** That of the page you stored last. Without one, every record there is comes first. */
  readonly cursor?: string | undefined;
  /** How long the server waits for a change: 30 seconds unless said. With 0 the pages end where there are no more. */
  readonly waitSeconds?: number;
  readonly perPage?: number;
  /** Ends the pages. */
  readonly signal?: AbortSignal;
}

interface ChangesQuery {
  readonly cursor?: string;
  readonly per_page: number;
  readonly wait: number;
}

type Ask = (query: ChangesQuery, options: CallOptions) => Promise<Answer>;

const MAX_WAIT_SECONDS = 30;
/** The server waits first, and then answers. */
const TO_ANSWER_MS = 30_000;

export class Changes {
  constructor(private readonly ask: Ask) {}

  /**
   * Page after page of what changed, for as long as you read. What fails for a reason that passes is tried until it succeeds;
   * anything else is thrown, such as a cursor from before the database was restored (`cursor_of_another_history`).
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<ChangesPage> {
    const { waitSeconds = MAX_WAIT_SECONDS, perPage = 50, signal } = options;
    let { cursor } = options;
    for (;;) {
      if (signal?.aborted) return;
      const answer = await this.page(
        { per_page: perPage, wait: waitSeconds, ...(cursor !== undefined && { cursor }) },
        signal,
      );
      if (!answer) return;
      const { changes, meta } = answer;
      cursor = meta.cursor;
      const isCaughtUp = meta.pagination.next_page === null;
      yield { changes, cursor, isCaughtUp };
      if (isCaughtUp && waitSeconds === 0) return;
    }
  }

  /** Nothing where the reader has ended it. */
  private async page(query: ChangesQuery, signal?: AbortSignal) {
    const options = { timeoutMs: query.wait * 1000 + TO_ANSWER_MS, ...(signal && { signal }) };
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.ask(query, options);
      } catch (error) {
        if (signal?.aborted) return undefined;
        if (!isWorthRetrying(error)) throw error;
        await pause(delayBefore(failures) ?? 0, signal).catch(() => undefined);
      }
    }
  }
}
