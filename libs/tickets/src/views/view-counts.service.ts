import { Clock } from '#libs/database';
import { DomainError } from '#libs/entities';
import { CountCache, type Counted } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import { isPersonal } from '../lists/folders.js';
import { type TicketFilterQuery, TicketListsService } from '../lists/ticket-lists.service.js';
import type { RequestContext } from '../request-context.js';

const MAX_COUNTED = 99;
/** Older counts are refreshed when they are shown. */
const FRESH_MS = 10_000;
/** Stale counts are shown while others are refreshed. */
const KEPT_MS = 600_000;
/** Limits what one page waits for. With more views, each page refreshes the oldest counts. */
const MAX_AT_ONCE = 6;

interface Kept {
  readonly count: Counted;
  readonly at: number;
}

/** Agents share a count, and one request makes it. */
@Injectable()
export class ViewCountsService {
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly clock: Clock,
    private readonly lists: TicketListsService,
    private readonly cache: CountCache,
  ) {}

  /** Undefined for a view not counted yet. */
  async count(context: RequestContext, queries: readonly TicketFilterQuery[]): Promise<(Counted | undefined)[]> {
    const now = this.clock.now().getTime();
    const counted = queries.map((query) => ({ query, key: keyOf(context, query) }));
    const ages = new Map(counted.map(({ key }) => [key, now - (this.kept(key)?.at ?? 0)]));
    const due = counted
      .filter(({ key }) => ages.get(key)! > FRESH_MS)
      .toSorted((one, other) => ages.get(other.key)! - ages.get(one.key)!);
    await Promise.all(due.slice(0, MAX_AT_ONCE).map(({ query, key }) => this.refresh(context, query, key)));
    return counted.map(({ key }) => this.kept(key)?.count);
  }

  /** Counted again after each change, as folders are. */
  countGroups(context: RequestContext, queries: readonly TicketFilterQuery[], change: string | null) {
    return Promise.all(queries.map((query) => this.countAfter(change, context, query)));
  }

  private async countAfter(change: string | null, context: RequestContext, query: TicketFilterQuery): Promise<Counted> {
    const key = JSON.stringify([context.accountId, 'group', query]);
    const kept = this.cache.get(key) as { count: Counted; change: string } | undefined;
    if (kept?.change === change) return kept.count;
    const count = await this.countSome(context, query);
    if (change !== null) this.cache.set(key, { count, change });
    return count;
  }

  private kept(key: string): Kept | undefined {
    return this.cache.get(key) as Kept | undefined;
  }

  private refresh(context: RequestContext, query: TicketFilterQuery, key: string): Promise<void> {
    const running = this.running.get(key) ?? this.measure(context, query, key).finally(() => this.running.delete(key));
    this.running.set(key, running);
    return running;
  }

  private async measure(context: RequestContext, query: TicketFilterQuery, key: string): Promise<void> {
    const at = this.clock.now().getTime();
    const count = await this.countSome(context, query);
    this.cache.set(key, { count, at } satisfies Kept, { ttl: KEPT_MS });
  }

  /** A query that is no longer valid finds nothing. */
  private countSome(context: RequestContext, query: TicketFilterQuery): Promise<Counted> {
    return this.lists.countSome(context, query, MAX_COUNTED).catch((error: unknown) => {
      if (error instanceof DomainError) return { total: 0, capped: false };
      throw error;
    });
  }
}

function keyOf({ accountId, agentId }: RequestContext, query: TicketFilterQuery): string {
  return JSON.stringify([accountId, 'view', query, isAboutMe(query) ? agentId : null]);
}

function isAboutMe({ folder, q }: TicketFilterQuery): boolean {
  return (folder !== undefined && isPersonal(folder)) || (q !== undefined && /assignee:"?me\b/i.test(q));
}
