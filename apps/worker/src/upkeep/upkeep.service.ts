import { Inject, Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { Journal } from '../telemetry/journal.js';
import { MINUTE_MS } from '../durations.js';
import { type Task } from './task.js';
import { TaskTurns } from './task-turns.js';

export const TASKS = Symbol('tasks of upkeep');

const LOOK_MS = 10_000;

/** Keeps the house: one worker at a time does each task when it is due. Idle: PostgreSQL 1, every ten seconds. */
@Injectable()
export class Upkeep {
  private readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.journal.interrupted('upkeep starts over', error),
    errorPauseMs: LOOK_MS,
  });
  private stopping = false;

  constructor(
    @Inject(TASKS) private readonly tasks: readonly Task[],
    private readonly turns: TaskTurns,
    private readonly journal: Journal,
  ) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    this.stopping = true;
    return this.loop.stop();
  }

  /** Everything that is due, once. */
  async runDue(): Promise<void> {
    for (const task of await this.turns.take(this.tasks)) {
      if (this.stopping) await this.turns.retrySoon(task, 0);
      else await this.run(task);
    }
  }

  private async round(): Promise<number> {
    await this.runDue();
    return LOOK_MS;
  }

  private async run(task: Task): Promise<void> {
    const startedAt = performance.now();
    try {
      const report = await task.run();
      await this.turns.finish(task, report);
      this.journal.keptUp(task.name, report, performance.now() - startedAt);
    } catch (error) {
      this.journal.upkeepFailed(task.name, error);
      await this.turns.retrySoon(task, Math.min(task.everyMs, MINUTE_MS));
    }
  }
}
