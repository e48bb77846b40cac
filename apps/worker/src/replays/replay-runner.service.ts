import { Clock, Database, type SystemConnection, hydrate } from '#libs/database';
import { type DeliveryState, Replay, type ReplayChoice, type WebhookState } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { Journal } from '../telemetry/journal.js';
import { COUNT_STRETCH, type Counted, KEEP_WEBHOOK, OWE_STRETCH, type Owed, TAKE_REPLAY } from './replay.statements.js';

/**
 * Deliveries of a webhook that are due at once while it is being replayed. What happens meanwhile goes to the queue
 * directly and so before them; a receiver that is slow, paced or paused slows its own replay and nothing else.
 */
const MOST_DUE = 200;

const COUNTED_AT_ONCE = 20_000;
const LOOKED_THROUGH = 2_000;

const IDLE_MS = 500;
/** Until the next step of one replay; others have their turns in between. */
const PAUSE_MS = 50;
const FULL_MS = 250;

const CHOSEN: Readonly<Record<ReplayChoice, readonly DeliveryState[]>> = {
  failed: ['exhausted', 'cancelled'],
  all: ['exhausted', 'cancelled', 'delivered'],
};

interface Turn {
  readonly replay: Replay;
  readonly webhookState: WebhookState | 'deleted';
  readonly due: number;
}

/**
 * Carries out what was asked for in `replays`, a step at a time. A step is one transaction that also writes down how far
 * it came: whoever dies in the middle of one has done nothing, and any worker goes on.
 * Idle: PostgreSQL 1 round trip twice a second. Per step, of up to 200 deliveries: 5.
 */
@Injectable()
export class Replays {
  private readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.journal.interrupted('the replays start over', error),
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly journal: Journal,
  ) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private round(): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const now = this.clock.now();
      const turn = await take(tx, now);
      if (!turn) return IDLE_MS;
      await this.step(tx, turn, now);
      await tx.manager.update(Replay, { id: turn.replay.id }, progressOf(turn.replay));
      return 0;
    });
  }

  private async step(tx: SystemConnection, { replay, webhookState, due }: Turn, now: Date): Promise<void> {
    replay.nextStepAt = later(now, PAUSE_MS);
    if (webhookState === 'deleted' || webhookState === 'disabled') replay.cancel(now);
    else if (replay.state === 'counting') await count(tx, replay, now);
    else if (due >= MOST_DUE || !(await keepWebhook(tx, replay))) replay.nextStepAt = later(now, FULL_MS);
    else await owe(tx, replay, { room: MOST_DUE - due, now });
  }
}

async function take(tx: SystemConnection, now: Date): Promise<Turn | null> {
  const row = await tx.row<Pick<Turn, 'webhookState' | 'due'>>(TAKE_REPLAY, [now, MOST_DUE]);
  if (!row) return null;
  return { ...row, replay: hydrate(Replay, row as unknown as Record<string, unknown>, 'r')! };
}

async function keepWebhook(tx: SystemConnection, { accountId, webhookId }: Replay): Promise<boolean> {
  return (await tx.rows(KEEP_WEBHOOK, [accountId, webhookId])).length > 0;
}

const stretch = (replay: Replay, length: number): unknown[] => [
  replay.accountId,
  replay.webhookId,
  replay.since,
  replay.before,
  replay.position,
  length,
  CHOSEN[replay.choice],
];

async function count(tx: SystemConnection, replay: Replay, now: Date): Promise<void> {
  const counted = (await tx.row<Counted>(COUNT_STRETCH, stretch(replay, COUNTED_AT_ONCE)))!;
  replay.count(counted.wanted, counted.last);
  if (counted.lookedAt < COUNTED_AT_ONCE) replay.begin(now);
}

async function owe(tx: SystemConnection, replay: Replay, { room, now }: { room: number; now: Date }): Promise<void> {
  const done = (await tx.row<Owed>(OWE_STRETCH, [...stretch(replay, LOOKED_THROUGH), room, now]))!;
  const isFull = done.wanted === room;
  replay.advance(done.owed, isFull ? done.lastWanted : done.last);
  if (!isFull && done.lookedAt < LOOKED_THROUGH) replay.finish(now);
}

const progressOf = ({ state, total, redelivered, position, nextStepAt, finishedAt }: Replay): Partial<Replay> => ({
  state,
  total,
  redelivered,
  position,
  nextStepAt,
  finishedAt,
});

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);
