import { digest } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AuthenticatedRequest, Caller } from './caller.js';
import { type RateLimitResult, RateLimiter } from './rate-limiter.js';

/** So many tokens, and for how long after a request of each. */
const REMEMBERED = { max: 10_000, ttl: 60_000 };

type Owner = Pick<Caller, 'agentId' | 'applicationId'>;

interface Begun {
  readonly owner: Owner;
  readonly answer: Promise<RateLimitResult | undefined>;
}

/**
 * Whose token it is was known a moment ago. So the request is counted while PostgreSQL is asked whether that still
 * holds, instead of afterwards. It decides nothing: what was counted for somebody else is counted again, and a token that
 * has ended counts at most once more.
 */
@Injectable()
export class EarlyCounts {
  private readonly owners = new LRUCache<string, Owner>(REMEMBERED);
  private readonly begun = new WeakMap<AuthenticatedRequest, Begun>();

  constructor(private readonly limit: RateLimiter) {}

  /** Before the token was looked at. */
  begin(request: AuthenticatedRequest): void {
    const owner = this.owners.get(nameOf(request));
    if (owner) this.begun.set(request, { owner, answer: this.limit.count(owner) });
  }

  /** After the token was refused. */
  forget(request: AuthenticatedRequest): void {
    this.owners.delete(nameOf(request));
  }

  /** After it was found. One round trip to Redis, of which most has passed by then for a token that was here before. */
  finish(request: AuthenticatedRequest, { agentId, applicationId }: Caller): Promise<RateLimitResult | undefined> {
    this.owners.set(nameOf(request), { agentId, applicationId });
    const begun = this.begun.get(request);
    const isTheirs = begun?.owner.agentId === agentId && begun.owner.applicationId === applicationId;
    return isTheirs ? begun.answer : this.limit.count({ agentId, applicationId });
  }
}

/** The token itself is not kept. */
const nameOf = ({ headers }: AuthenticatedRequest): string => digest(headers.authorization ?? '').toString('base64');
