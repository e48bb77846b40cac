import { Clock, Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { TaskReport, Task } from './task.js';

const REASON = 'Upkeep is of the installation, not of an account';

/** Writes only tasks that are due, so that asking costs a read. */
const TAKE_DUE_TASKS = systemStatement(
  'upkeep_take',
  REASON,
  `insert into upkeep_tasks as t (name, due_at)
   select name, $1::timestamptz + ms * interval '1 millisecond' from unnest($2::text[], $3::int[]) as wanted(name, ms)
   where not exists (select from upkeep_tasks waiting where waiting.name = wanted.name and waiting.due_at > $1)
   on conflict (name) do update set due_at = excluded.due_at where t.due_at <= $1
   returning name`,
);

const FINISH_TASK = systemStatement(
  'upkeep_finish',
  REASON,
  'update upkeep_tasks set finished_at = $2, report = $3 where name = $1',
);

const RESCHEDULE_TASK = systemStatement(
  'upkeep_hurry',
  REASON,
  'update upkeep_tasks set due_at = least(due_at, $2) where name = $1',
);

/**
 * Decides which worker runs a task. A worker takes a due task in one atomic statement. So there is no leader to elect and
 * no lock to hold, it works through a transaction pooler, and the next turn replaces a worker that died.
 */
@Injectable()
export class TaskScheduleService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Takes those of the tasks that are due, for this process to run. One round trip. */
  async takeDue(tasks: readonly Task[]): Promise<Task[]> {
    const values = [this.clock.now(), tasks.map(({ name }) => name), tasks.map(({ everyMs }) => everyMs)];
    const taken = await this.database.system().rows<{ name: string }>(TAKE_DUE_TASKS, values);
    return tasks.filter((task) => taken.some(({ name }) => name === task.name));
  }

  async finish({ name }: Task, report: TaskReport): Promise<void> {
    await this.database.system().rows(FINISH_TASK, [name, this.clock.now(), report]);
  }

  /** The task failed, so any worker may run it again soon. */
  async retrySoon({ name }: Task, afterMs: number): Promise<void> {
    await this.database.system().rows(RESCHEDULE_TASK, [name, this.clock.in(afterMs)]);
  }
}
