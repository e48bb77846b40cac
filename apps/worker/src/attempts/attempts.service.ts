import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, later, uuidAt } from '#libs/database';
import {
  type AbandonedAttempt,
  type AttemptRecord,
  type AttemptRef,
  type QueueKind,
  type NextStep,
  type AttemptOutcome,
  type QueuedDelivery,
  nextStep,
  signatureHeaders,
  withoutSignature,
} from '#libs/webhooks';
import type { AttemptLoader } from './attempt-loader.js';
import type { AttemptRecorder } from './attempt-recorder.js';
import type { FinishedAttempt, PostponedReason } from '../finished-attempt.js';
import type { DueDelivery } from '../due-delivery.js';
import type { InFlightDeliveries } from '../queue/in-flight-deliveries.js';
import { LEASE_MARGIN_MS, type OwedDeliveries } from '../queue/owed-deliveries.js';
import type { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import type { ReceiverLimiters, Permit } from '../fairness/receiver-limiters.js';
import type { DeliverySlots } from '../fairness/delivery-slots.js';
import type { WebhookClient } from '../sender/webhook-client.js';

export interface AttemptPolicy {
  readonly version: string;
  readonly aliases: readonly string[];
  readonly timeoutMs: number;
  readonly scheduleMs: readonly number[];
  /** A receiver that let a request run to its deadline is only probed for this long. */
  readonly slowForMs: number;
}

export interface AttemptDependencies {
  readonly clock: Clock;
  readonly loader: AttemptLoader;
  readonly client: WebhookClient;
  readonly recorder: AttemptRecorder;
  readonly owed: OwedDeliveries;
  readonly inFlight: InFlightDeliveries;
  readonly receiverLimiters: ReceiverLimiters;
  readonly slots: DeliverySlots;
  readonly telemetry: WorkerTelemetry;
  /** The receiver answered 410: it wants no more. */
  readonly onGone: (webhookId: string) => Promise<void>;
}

/** A delivery out of a job, to be attempted under the lease that the job was given. */
export interface LeasedDelivery extends QueuedDelivery {
  readonly leasedUntil: Date;
  readonly queueKind: QueueKind;
}

const SILENT_RECEIVER_PAUSE_MS = 1_000;
/** Until somebody has put the key back; unsigned it is never sent. */
const NO_SECRET_PAUSE_MS = 60_000;
/** Kept of the time to stop in, for what remains to be written down. */
const SHUTDOWN_RESERVE_MS = 2_000;
const DRAIN_POLL_MS = 20;

/**
 * One delivery from "due" to "recorded". Round trips per delivery: PostgreSQL 1/n to load and 1/n to record, n being
 * how many are handled at the time (up to 200); none to Redis, beyond the one that BullMQ needs to acknowledge a job
 * and fetch the next.
 */
export class AttemptsService {
  private inProgress = 0;

  constructor(
    private readonly policy: AttemptPolicy,
    private readonly deps: AttemptDependencies,
  ) {}

  /** What is in hand may finish; what does not in time is ended and handed back. Answers whether all is put down. */
  async drain(withinMs: number): Promise<boolean> {
    this.deps.slots.close();
    await this.waitUntilIdle(withinMs - SHUTDOWN_RESERVE_MS);
    this.deps.client.close();
    this.deps.receiverLimiters.close();
    await this.waitUntilIdle(SHUTDOWN_RESERVE_MS / 2);
    return this.inProgress === 0;
  }

  /**
   * Begins when it is its turn. Resolves when PostgreSQL knows what became of it, and never rejects: what went wrong here
   * comes again.
   */
  async perform(leased: LeasedDelivery, turn: Promise<boolean>): Promise<void> {
    this.inProgress += 1;
    try {
      if (await turn) await this.attemptInSlot(leased);
      else if (this.hasLeaseLeft(leased)) await this.postpone(leased, 'stopping', 0);
    } catch (error) {
      this.deps.telemetry.interrupted('an attempt was not brought to its end', error);
    } finally {
      this.inProgress -= 1;
    }
  }

  private async attemptInSlot(leased: LeasedDelivery): Promise<void> {
    try {
      if (this.hasLeaseLeft(leased)) await this.attemptOnce(leased);
    } finally {
      this.deps.slots.release();
    }
  }

  private async attemptOnce(leased: LeasedDelivery): Promise<void> {
    const { inFlight } = this.deps;
    if (!inFlight.tryAdd(leased)) return;
    try {
      await this.attemptIfAllowed(leased);
    } finally {
      inFlight.remove(leased);
    }
  }

  /** With too little of it left, somebody else may get it before this process could renew it. */
  private hasLeaseLeft({ leasedUntil }: LeasedDelivery): boolean {
    return leasedUntil.getTime() - this.deps.clock.now().getTime() > LEASE_MARGIN_MS;
  }

  private async attemptIfAllowed(leased: LeasedDelivery): Promise<void> {
    const delivery = await this.timeStep(() => this.deps.loader.load(leased));
    if (!delivery) return;
    if (delivery.webhookState !== 'active') return this.postpone(leased, 'paused', 0);
    const restMs = (delivery.pacedUntil?.getTime() ?? 0) - this.deps.clock.now().getTime();
    if (restMs > 0) return this.postpone(leased, 'paced', restMs);
    if (delivery.secrets.length === 0) return this.postpone(leased, 'no_secret', NO_SECRET_PAUSE_MS);
    const permit = await this.deps.receiverLimiters.acquire(delivery.webhookId);
    if (!permit) return this.postpone(leased, 'silent', SILENT_RECEIVER_PAUSE_MS);
    await this.send(leased, delivery, permit);
  }

  private async send(leased: LeasedDelivery, delivery: DueDelivery, permit: Permit): Promise<void> {
    const startedAt = this.deps.clock.now();
    const headers = this.headers(delivery, startedAt);
    const { url, event } = delivery;
    const { timeoutMs } = this.policy;
    const outcome = await this.deps.client.post({ url, headers, body: event.body, timeoutMs });
    releasePermit(permit, outcome);
    if (outcome.kind === 'abandoned') return this.postpone(leased, 'stopping', 0);
    await this.recordOutcome(
      { delivery, startedAt, outcome, step: this.next(delivery, outcome) },
      headers,
      leased.queueKind,
    );
  }

  private next(delivery: DueDelivery, outcome: AttemptOutcome): NextStep {
    const { scheduleMs: schedule } = this.policy;
    const now = this.deps.clock.now();
    return nextStep({ attempt: delivery.attempts + 1, outcome, schedule, now, random: Math.random });
  }

  private async recordOutcome(
    finished: FinishedAttempt,
    headers: Record<string, string>,
    queueKind: QueueKind,
  ): Promise<void> {
    await this.timeStep(() => this.deps.recorder.record(this.record(finished, headers), queueKind));
    this.deps.telemetry.attemptFinished(finished);
    if (finished.step.kind === 'gone') await this.deps.onGone(finished.delivery.webhookId);
  }

  private async waitUntilIdle(withinMs: number): Promise<void> {
    const end = performance.now() + withinMs;
    while (this.inProgress > 0 && performance.now() < end) await delay(DRAIN_POLL_MS);
  }

  private async timeStep<T>(work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const result = await work();
    this.deps.slots.recordStepTime(performance.now() - started);
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

  private record(
    { delivery, startedAt, outcome, step }: FinishedAttempt,
    headers: Record<string, string>,
  ): AttemptRecord {
    const now = this.deps.clock.now();
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
      slowUntil: isTimeout(outcome) ? later(now, this.policy.slowForMs) : null,
      ...nextColumns(step),
    };
  }

  /** Owed as before, from a moment on. */
  private async postpone(leased: AttemptRef, reason: PostponedReason, forMs: number): Promise<void> {
    this.deps.telemetry.postponed(reason);
    await this.deps.owed.giveBackOne(leased, forMs);
  }
}

type NextColumns = Pick<AttemptRecord, 'nextReason' | 'nextAttemptAt' | 'state' | 'pacedUntil'>;

function nextColumns(step: NextStep): NextColumns {
  if (step.kind === 'retry')
    return { state: 'pending', nextReason: step.reason, nextAttemptAt: step.at, pacedUntil: step.webhookPacedUntil };
  const settled = { nextAttemptAt: null, pacedUntil: null };
  if (step.kind === 'done') return { ...settled, state: 'delivered', nextReason: null };
  if (step.kind === 'gone') return { ...settled, state: 'cancelled', nextReason: 'gone' };
  return { ...settled, state: 'exhausted', nextReason: 'exhausted', pacedUntil: step.webhookPacedUntil };
}

function isTimeout(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'failed' && outcome.error === 'timeout';
}

function releasePermit(permit: Permit, outcome: AttemptOutcome | AbandonedAttempt): void {
  if (outcome.kind === 'abandoned') permit.abandoned();
  else if (isTimeout(outcome)) permit.timedOut();
  else permit.answered();
}
