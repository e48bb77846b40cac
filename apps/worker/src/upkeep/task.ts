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
