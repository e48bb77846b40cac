import { RECEIVER_CHECK_MS } from './limits.js';

/** Initial burst, in seconds of the host’s rate. */
const HOST_BURST_SECONDS = 0.5;

/** Shorter periods see too few responses. */
const HOST_PACE_PERIOD_MS = 500;

/** Lower, a host at its limit is pushed further. */
const HOST_GOOD_SHARE = 0.9;

/** Factors of the initial rate. */
const HOST_PACE_FACTORS = { min: 1 / 8, max: 1_024 };

/** Without pressure for this many periods, the rate returns halfway to its start. */
const HOST_PACE_CALM_PERIODS = 20;

/**
 * Each period the rate doubles if demand exceeded it and the host accepted nearly all, and halves if the host failed
 * more than it accepted. It recovers slowly. With few webhooks it follows the accepted requests.
 */
export class HostPace {
  private factor = 1;
  private tokens: number;
  private refilledAt: number;
  private period = { startedAt: 0, accepted: 0, bad: 0, wasShort: false };
  private calmPeriods = 0;
  private heldBack = false;

  constructor(
    private readonly bounds: { readonly perSecond: number },
    now: number,
  ) {
    this.tokens = this.capacity;
    this.refilledAt = now;
    this.period.startedAt = now;
  }

  get perSecond(): number {
    return this.bounds.perSecond * this.factor;
  }

  get isHeldBack(): boolean {
    return this.heldBack;
  }

  /** False also records unmet demand. */
  hasToken(now: number): boolean {
    this.refill(now);
    if (this.tokens < 1) this.period.wasShort = true;
    return this.tokens >= 1;
  }

  take(): void {
    this.tokens = Math.max(0, this.tokens - 1);
  }

  ended(accepted: boolean): void {
    this.period[accepted ? 'accepted' : 'bad'] += 1;
  }

  adjust(now: number, hasManyWebhooks: boolean): void {
    const seconds = (now - this.period.startedAt) / 1000;
    if (seconds * 1000 < HOST_PACE_PERIOD_MS) return;
    this.factor = hasManyWebhooks
      ? this.nextFactor()
      : Math.max(1, this.period.accepted / seconds / this.bounds.perSecond);
    this.factor = Math.min(HOST_PACE_FACTORS.max, Math.max(HOST_PACE_FACTORS.min, this.factor));
    this.period = { startedAt: now, accepted: 0, bad: 0, wasShort: false };
  }

  private nextFactor(): number {
    const { accepted, bad, wasShort } = this.period;
    const all = accepted + bad;
    const hasFailed = bad > accepted;
    const isGood = accepted > 0 && accepted >= all * HOST_GOOD_SHARE;
    if (all > 0) this.heldBack = !isGood;
    const isKept = hasFailed || (wasShort && this.factor >= 1);
    this.calmPeriods = isKept ? 0 : this.calmPeriods + 1;
    if (hasFailed) return this.factor / 2;
    if (wasShort && isGood) return this.factor * 2;
    if (this.calmPeriods < HOST_PACE_CALM_PERIODS) return this.factor;
    this.calmPeriods = 0;
    return this.factor > 1 ? Math.max(1, this.factor / 2) : Math.min(1, this.factor * 2);
  }

  /** A fast host must not be throttled between checks. */
  private get capacity(): number {
    return Math.max(1, this.bounds.perSecond * HOST_BURST_SECONDS, (this.perSecond * RECEIVER_CHECK_MS) / 1000);
  }

  private refill(now: number): void {
    const added = ((now - this.refilledAt) / 1000) * this.perSecond;
    this.tokens = Math.min(this.capacity, this.tokens + Math.max(0, added));
    this.refilledAt = now;
  }
}
