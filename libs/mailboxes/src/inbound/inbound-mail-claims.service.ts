import { Clock, Database, isTransientError, later } from '#libs/database';
import { DomainError } from '#libs/entities';
import { backoffMs } from '#libs/pacing';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { AccountTurns } from './account-turns.js';
import { claimArrival, postponeArrival } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';

/** Longer than processing can take. Then another worker claims the email. */
const LEASE_MS = 2 * 60 * 1000;

/** Accounts take turns by the time that their emails take. */
@Injectable()
export class InboundMailClaimsService {
  private readonly turns = new AccountTurns();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async claim(
    busyAccounts: Iterable<string>,
    { mayRetry }: { readonly mayRetry: boolean },
  ): Promise<InboundMail | undefined> {
    for (;;) {
      const claimed = await claimArrival(this.database.system(), {
        now: this.clock.now(),
        leasedUntil: this.clock.in(LEASE_MS),
        otherAccounts: [...busyAccounts, ...this.turns.waiting],
        mayRetry,
      });
      if (claimed || !this.turns.advance()) return claimed;
    }
  }

  charge({ accountId }: InboundMail, ms: number): void {
    this.turns.charge(accountId, ms);
  }

  /** Never rejects: after a failure the mail is due again when its lease ends. */
  async postpone(inbound: InboundMail, error: unknown): Promise<void> {
    const { id: arrival, accountId } = inbound;
    const now = this.clock.now();
    const { pauseMs, isTry } = nextTry(inbound, error, now);
    const tries = isTry ? inbound.tries : inbound.tries - 1;
    this.logger.error({ err: error, arrival, tries }, 'an email could not be processed and will be retried');
    try {
      const dueAt = later(now, pauseMs);
      await postponeArrival(this.database.account(accountId), { id: arrival, dueAt, tries });
    } catch (failure) {
      const what = 'an email could not be postponed and will be retried when its lease ends';
      this.logger.error({ err: failure, arrival }, what);
    }
  }
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const BACKOFF = { firstMs: 2 * SECOND_MS, maxMs: 60 * MINUTE_MS };

export class Interrupted extends Error {}

/**
 * Transient errors do not count as attempts. The longer an email has waited for something unavailable, the less often it
 * is retried.
 */
export function nextTry({ tries, createdAt }: Pick<InboundMail, 'tries' | 'createdAt'>, error: unknown, now: Date) {
  if (error instanceof Interrupted) return { pauseMs: 0, isTry: false };
  const passes = isTransientError(error) || (error instanceof DomainError && error.kind === 'unavailable');
  if (!passes) return { pauseMs: backoffMs(tries, BACKOFF), isTry: true };
  const waitedMs = now.getTime() - createdAt.getTime();
  return { pauseMs: Math.min(5 * MINUTE_MS, Math.max(2 * SECOND_MS, waitedMs / 4)), isTry: false };
}
