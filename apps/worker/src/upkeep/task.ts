/** What a task did, in numbers. Each is a field of the log line and a count in the metrics. */
export type TaskReport = Readonly<Record<string, number>>;

/**
 * Work that is due from time to time, and that whichever worker comes first does. It has small bounded steps, and is safe
 * to run twice at once or to interrupt: the next run finds what is left.
 */
export interface Task {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<TaskReport>;
}

/** Less than the time that a process has to stop. */
const MAX_TASK_RUN_MS = 5_000;

/** Runs batches until one finds nothing, or for a few seconds. The next run does the rest. */
export async function inBatches(takeSome: () => Promise<number>): Promise<number> {
  const end = performance.now() + MAX_TASK_RUN_MS;
  let taken = 0;
  for (;;) {
    const some = await takeSome();
    taken += some;
    if (some === 0 || performance.now() > end) return taken;
  }
}
