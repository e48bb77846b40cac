import { Clock, Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { TaskReport, Task } from './task.js';

const REASON = 'Upkeep is of the installation, not of an account';

/** Only what is due is written, so that asking costs a read. */
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
 * Who does what when. A task is led by whoever takes its turn in one atomic statement: nothing is elected, held open or
 * handed over, it works through a transaction pooler, and a leader that dies is followed by another one turn later.
 */
@Injectable()
export class TaskSchedule {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The tasks among these whose turn it is, and that are now this process's to do. One round trip. */
  async takeDue(tasks: readonly Task[]): Promise<Task[]> {
    const values = [this.clock.now(), tasks.map(({ name }) => name), tasks.map(({ everyMs }) => everyMs)];
    const taken = await this.database.system().rows<{ name: string }>(TAKE_DUE_TASKS, values);
    return tasks.filter((task) => taken.some(({ name }) => name === task.name));
  }

  async finish({ name }: Task, report: TaskReport): Promise<void> {
    await this.database.system().rows(FINISH_TASK, [name, this.clock.now(), report]);
  }

  /** It failed: again soon, by whoever comes. */
  async retrySoon({ name }: Task, afterMs: number): Promise<void> {
    await this.database.system().rows(RESCHEDULE_TASK, [name, this.clock.in(afterMs)]);
  }
}
