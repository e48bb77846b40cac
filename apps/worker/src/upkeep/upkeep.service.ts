import { Clock, Database } from '#libs/database';
import { Inject, Injectable } from '@nestjs/common';
import { MINUTE_MS } from '../durations.js';
import { Loop, UNTIL_WOKEN } from '../loop.js';
import { WorkerMetrics } from '../telemetry/worker-metrics.js';
import { finishTask, rescheduleTask, takeDueTasks } from './upkeep.statements.js';

export const UPKEEP_TASKS = Symbol('tasks of upkeep');

/** Taking a due task is one atomic statement, so there is no leader. */
@Injectable()
export class UpkeepService {
  readonly loop = new Loop({
    round: () => this.runDue().then(() => UNTIL_WOKEN),
    onError: (error) => this.telemetry.interrupted('upkeep could not find its due tasks and will retry', error),
  });
  private stopping = false;

  constructor(
    @Inject(UPKEEP_TASKS) private readonly tasks: readonly Task[],
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly telemetry: WorkerMetrics,
  ) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    this.stopping = true;
    return this.loop.stop();
  }

  async runDue(): Promise<void> {
    const due = await takeDueTasks(this.database.system(), this.tasks, this.clock.now());
    for (const task of this.tasks.filter(({ name }) => due.includes(name))) {
      if (this.stopping) await this.retryIn(task, 0);
      else await this.run(task);
    }
  }

  private async run(task: Task): Promise<void> {
    const startedAt = performance.now();
    try {
      const report = await task.run();
      await finishTask(this.database.system(), task.name, this.clock.now(), report);
      this.telemetry.taskFinished(task.name, report, performance.now() - startedAt);
    } catch (error) {
      this.telemetry.taskFailed(task.name, error);
      await this.retryIn(task, Math.min(task.everyMs, MINUTE_MS));
    }
  }

  private async retryIn({ name }: Task, ms: number): Promise<void> {
    await rescheduleTask(this.database.system(), name, this.clock.in(ms));
  }
}

export type TaskReport = Readonly<Record<string, number>>;

/** Safe to run twice at once or to interrupt. */
export interface Task {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<TaskReport>;
}

/** Shorter than a shutdown may take. */
const MAX_TASK_RUN_MS = 5_000;

export async function inBatches(takeSome: () => Promise<number>): Promise<number> {
  const end = performance.now() + MAX_TASK_RUN_MS;
  let taken = 0;
  for (;;) {
    const some = await takeSome();
    taken += some;
    if (some === 0 || performance.now() > end) return taken;
  }
}
