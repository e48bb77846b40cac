import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, uuidAt } from '#libs/database';
import {
  type Abandoned,
  type Lane,
  type NextStep,
  type Outcome,
  type QueuedDelivery,
  nextStep,
  signatureHeaders,
  withoutSignature,
} from '#libs/webhooks';
import type { AttemptLoader } from './attempt-loader.js';
import type { AttemptRecord, AttemptRecorder } from './attempt-recorder.js';
import type { Attempted, HeldReason } from '../attempted.js';
import type { DueDelivery } from '../due-delivery.js';
import type { InHand } from '../queue/in-hand.js';
import { type Held, LEASE_MARGIN_MS, type OwedDeliveries } from '../queue/owed-deliveries.js';
import type { Journal } from '../telemetry/journal.js';
import type { Lanes, Pass } from '../fairness/lanes.js';
import type { Slots } from '../fairness/slots.js';
import type { WebhookClient } from '../sender/webhook-client.js';

export interface AttemptPolicy {
  readonly version: string;
  readonly aliases: readonly string[];
  readonly timeoutMs: number;
  readonly scheduleMs: readonly number[];
  /** A receiver that let a request run to its deadline is only probed for this long. */
  readonly slowForMs: number;
}

export interface AttemptParts {
  readonly clock: Clock;
  readonly loader: AttemptLoader;
  readonly client: WebhookClient;
  readonly recorder: AttemptRecorder;
  readonly owed: OwedDeliveries;
  readonly inHand: InHand;
  readonly lanes: Lanes;
  readonly slots: Slots;
  readonly journal: Journal;
  /** The receiver answered 410: it wants no more. */
  readonly gone: (webhookId: string) => Promise<void>;
}

/** A delivery out of a job, to be attempted under the lease that the job was given. */
export interface Asked extends QueuedDelivery {
  readonly leasedUntil: Date;
  readonly lane: Lane;
}

const SILENT_PAUSE_MS = 1_000;
/** Until somebody has put the key back; unsigned it is never sent. */
const NO_SECRET_PAUSE_MS = 60_000;
/** Kept of the time to stop in, for what remains to be written down. */
const LAST_WORDS_MS = 2_000;
const LOOK_MS = 20;

/**
 * One delivery from "due" to "recorded". Round trips per delivery: PostgreSQL 1/n to load and 1/n to record, n being
 * how many are handled at the time (up to 200); none to Redis, beyond the one that BullMQ needs to acknowledge a job
 * and fetch the next.
 */
export class AttemptsService {
  private underWay = 0;

  constructor(
    private readonly policy: AttemptPolicy,
    private readonly parts: AttemptParts,
  ) {}

  /** What is in hand may finish; what does not in time is ended and handed back. Answers whether all is put down. */
  async finish(withinMs: number): Promise<boolean> {
    this.parts.slots.close();
    await this.emptyHands(withinMs - LAST_WORDS_MS);
    this.parts.client.close();
    this.parts.lanes.close();
    await this.emptyHands(LAST_WORDS_MS / 2);
    return this.underWay === 0;
  }

  /**
   * Begins when it is its turn. Resolves when PostgreSQL knows what became of it, and never rejects: what went wrong here
   * comes again.
   */
  async perform(asked: Asked, turn: Promise<boolean>): Promise<void> {
    this.underWay += 1;
    try {
      if (await turn) await this.performInTurn(asked);
      else if (this.isLeased(asked)) await this.hold(asked, 'stopping', 0);
    } catch (error) {
      this.parts.journal.interrupted('an attempt was not brought to its end', error);
    } finally {
      this.underWay -= 1;
    }
  }

  private async performInTurn(asked: Asked): Promise<void> {
    try {
      if (this.isLeased(asked)) await this.performOnce(asked);
    } finally {
      this.parts.slots.leave();
    }
  }

  private async performOnce(asked: Asked): Promise<void> {
    const { inHand } = this.parts;
    if (!inHand.take(asked)) return;
    try {
      await this.performInHand(asked);
    } finally {
      inHand.putDown(asked);
    }
  }

  /** With too little of it left, somebody else may get it before this process could renew it. */
  private isLeased({ leasedUntil }: Asked): boolean {
    return leasedUntil.getTime() - this.parts.clock.now().getTime() > LEASE_MARGIN_MS;
  }

  private async performInHand(job: Asked): Promise<void> {
    const delivery = await this.timed(() => this.parts.loader.load(job));
    if (!delivery) return;
    if (delivery.webhookState !== 'active') return this.hold(job, 'paused', 0);
    const restMs = (delivery.pacedUntil?.getTime() ?? 0) - this.parts.clock.now().getTime();
    if (restMs > 0) return this.hold(job, 'paced', restMs);
    if (delivery.secrets.length === 0) return this.hold(job, 'no_secret', NO_SECRET_PAUSE_MS);
    const pass = await this.parts.lanes.enter(delivery.webhookId);
    if (!pass) return this.hold(job, 'silent', SILENT_PAUSE_MS);
    await this.attempt(job, delivery, pass);
  }

  private async attempt(job: Asked, delivery: DueDelivery, pass: Pass): Promise<void> {
    const startedAt = this.parts.clock.now();
    const headers = this.headers(delivery, startedAt);
    const { url, event } = delivery;
    const { timeoutMs } = this.policy;
    const outcome = await this.parts.client.post({ url, headers, body: event.body, timeoutMs });
    leave(pass, outcome);
    if (outcome.kind === 'abandoned') return this.hold(job, 'stopping', 0);
    await this.conclude({ delivery, startedAt, outcome, step: this.next(delivery, outcome) }, headers, job.lane);
  }

  private next(delivery: DueDelivery, outcome: Outcome): NextStep {
    const { scheduleMs: schedule } = this.policy;
    const now = this.parts.clock.now();
    return nextStep({ attempt: delivery.attempts + 1, outcome, schedule, now, random: Math.random });
  }

  private async conclude(attempted: Attempted, headers: Record<string, string>, lane: Lane): Promise<void> {
    await this.timed(() => this.parts.recorder.record(this.record(attempted, headers), lane));
    this.parts.journal.attempted(attempted);
    if (attempted.step.kind === 'gone') await this.parts.gone(attempted.delivery.webhookId);
  }

  private async emptyHands(withinMs: number): Promise<void> {
    const end = performance.now() + withinMs;
    while (this.underWay > 0 && performance.now() < end) await delay(LOOK_MS);
  }

  private async timed<T>(work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const result = await work();
    this.parts.slots.spent(performance.now() - started);
    return result;
  }

  private headers(delivery: DueDelivery, timestamp: Date): Record<string, string> {
    const { event, kind, attempts, secrets } = delivery;
    return signatureHeaders({
      eventId: event.id,
      kind,
      sequence: event.sequence,
      test: event.test,
      attempt: attempts + 1,
      secrets,
      timestamp,
      body: event.body,
      aliases: this.policy.aliases,
      version: this.policy.version,
    });
  }

  private record({ delivery, startedAt, outcome, step }: Attempted, headers: Record<string, string>): AttemptRecord {
    const now = this.parts.clock.now();
    return {
      attemptId: uuidAt(now),
      accountId: delivery.accountId,
      webhookId: delivery.webhookId,
      deliveryId: delivery.deliveryId,
      number: delivery.attempts + 1,
      startedAt,
      durationMs: Math.round(outcome.durationMs),
      status: outcome.status,
      error: outcome.kind === 'failed' ? outcome.error : null,
      errorDetail: outcome.kind === 'failed' ? outcome.detail : null,
      responseBody: outcome.body === '' ? null : outcome.body,
      requestHeaders: JSON.stringify(withoutSignature(headers)),
      slowUntil: isTimeout(outcome) ? new Date(now.getTime() + this.policy.slowForMs) : null,
      ...consequence(step),
    };
  }

  /** Owed as before, from a moment on. */
  private async hold(job: Held, reason: HeldReason, forMs: number): Promise<void> {
    this.parts.journal.held(reason);
    await this.parts.owed.giveBackOne(job, forMs);
  }
}

type Consequence = Pick<AttemptRecord, 'nextReason' | 'nextAttemptAt' | 'state' | 'pacedUntil'>;

function consequence(step: NextStep): Consequence {
  if (step.kind === 'retry')
    return { state: 'pending', nextReason: step.reason, nextAttemptAt: step.at, pacedUntil: step.webhookPacedUntil };
  const settled = { nextAttemptAt: null, pacedUntil: null };
  if (step.kind === 'done') return { ...settled, state: 'delivered', nextReason: null };
  if (step.kind === 'gone') return { ...settled, state: 'cancelled', nextReason: 'gone' };
  return { ...settled, state: 'exhausted', nextReason: 'exhausted', pacedUntil: step.webhookPacedUntil };
}

function isTimeout(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && outcome.error === 'timeout';
}

function leave(pass: Pass, outcome: Outcome | Abandoned): void {
  if (outcome.kind === 'abandoned') pass.withdrawn();
  else if (isTimeout(outcome)) pass.timedOut();
  else pass.answered();
}
