import { Inject, Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { WorkerMetrics } from '../telemetry/worker-metrics.js';
import { MINUTE_MS } from '../durations.js';
import { type Task } from './task.js';
import { TaskScheduleService } from './task-schedule.service.js';

export const UPKEEP_TASKS = Symbol('tasks of upkeep');

const UPKEEP_POLL_MS = 10_000;

/** Runs each task when it is due, in one worker at a time. Round trips when idle: PostgreSQL 1 every ten seconds. */
@Injectable()
export class UpkeepService {
  private readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('upkeep could not find out what is due and will try again', error),
    errorPauseMs: UPKEEP_POLL_MS,
  });
  private stopping = false;

  constructor(
    @Inject(UPKEEP_TASKS) private readonly tasks: readonly Task[],
    private readonly schedule: TaskScheduleService,
    private readonly telemetry: WorkerMetrics,
  ) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    this.stopping = true;
    return this.loop.stop();
  }

  /** Runs everything that is due, once. */
  async runDue(): Promise<void> {
    for (const task of await this.schedule.takeDue(this.tasks)) {
      if (this.stopping) await this.schedule.retrySoon(task, 0);
      else await this.run(task);
    }
  }

  private async round(): Promise<number> {
    await this.runDue();
    return UPKEEP_POLL_MS;
  }

  private async run(task: Task): Promise<void> {
    const startedAt = performance.now();
    try {
      const report = await task.run();
      await this.schedule.finish(task, report);
      this.telemetry.taskFinished(task.name, report, performance.now() - startedAt);
    } catch (error) {
      this.telemetry.taskFailed(task.name, error);
      await this.schedule.retrySoon(task, Math.min(task.everyMs, MINUTE_MS));
    }
  }
}
