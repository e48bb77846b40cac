/** What was done, in numbers: one field of the log line and one count of the metrics for each. */
export type TaskReport = Readonly<Record<string, number>>;

/**
 * Something that must be done from time to time, by whichever worker comes first. It works in small bounded steps, and
 * does no harm when it is run twice at once or ends in the middle: what it leaves is found the next time.
 */
export interface Task {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<TaskReport>;
}

/** Less than the time a stopping process is given. */
const MAX_TASK_RUN_MS = 5_000;

/** Takes a part at a time until nothing is found, or for a few seconds; the rest is for the next time. */
export async function inBatches(takeSome: () => Promise<number>): Promise<number> {
  const end = performance.now() + MAX_TASK_RUN_MS;
  let taken = 0;
  for (;;) {
    const some = await takeSome();
    taken += some;
    if (some === 0 || performance.now() > end) return taken;
  }
}
