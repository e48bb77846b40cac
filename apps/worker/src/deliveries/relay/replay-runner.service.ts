import { Clock, Database, type SystemConnection, later } from '#libs/database';
import type { Replay } from '#libs/entities';
import { type DueReplay, countRange, lockReplayedWebhook, oweRange, saveReplay, takeDueReplay } from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { Loop, UNTIL_WOKEN } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';

/** More would delay new events and other replays. */
const MAX_DUE_PER_REPLAY = 200;

/** Lets other replays have turns. */
const REPLAY_STEP_PAUSE_MS = 50;

/** Pause while deliveries wait for their receiver, and between the last step and the end of rounds. */
const REPLAY_FULL_PAUSE_MS = 250;

const COUNT_BATCH = 20_000;
const SCAN_BATCH = 2_000;

/** A step and its progress share a transaction, so any worker continues after a crash. Round trips per step: PostgreSQL 5. */
@Injectable()
export class ReplayRunnerService {
  readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('a replay failed and will be retried', error),
  });

  private hadTurn = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly telemetry: WorkerMetrics,
  ) {}

  private round(): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const now = this.clock.now();
      const turn = await takeDueReplay(tx, now, MAX_DUE_PER_REPLAY);
      const pauseMs = this.hadTurn ? REPLAY_FULL_PAUSE_MS : UNTIL_WOKEN;
      this.hadTurn = turn !== null;
      if (!turn) return pauseMs;
      await this.step(tx, turn, now);
      await saveReplay(tx, turn.replay);
      return 0;
    });
  }

  private async step(tx: SystemConnection, { replay, webhookState, due }: DueReplay, now: Date): Promise<void> {
    replay.nextStepAt = later(now, REPLAY_STEP_PAUSE_MS);
    if (webhookState === 'deleted' || webhookState === 'disabled') replay.cancel(now);
    else if (replay.state === 'counting') await countStep(tx, replay, now);
    else if (due >= MAX_DUE_PER_REPLAY || !(await lockReplayedWebhook(tx, replay)))
      replay.nextStepAt = later(now, REPLAY_FULL_PAUSE_MS);
    else await oweStep(tx, replay, { room: MAX_DUE_PER_REPLAY - due, now });
  }
}

async function countStep(tx: SystemConnection, replay: Replay, now: Date): Promise<void> {
  const counted = await countRange(tx, replay, COUNT_BATCH);
  replay.count(counted.wanted, counted.last);
  if (counted.scanned < COUNT_BATCH) replay.begin(now);
}

async function oweStep(
  tx: SystemConnection,
  replay: Replay,
  { room, now }: { room: number; now: Date },
): Promise<void> {
  const done = await oweRange(tx, replay, { length: SCAN_BATCH, room, now });
  const isFull = done.wanted === room;
  replay.advance(done.owed, isFull ? done.lastWanted : done.last);
  if (!isFull && done.scanned < SCAN_BATCH) replay.finish(now);
}
