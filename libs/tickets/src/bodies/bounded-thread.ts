import { once } from 'node:events';
import { type ResourceLimits, Worker } from 'node:worker_threads';

const START_TIMEOUT_MS = 10_000;

/** Why a thread gave no answer. That it did not start is no fault of the work. */
export type ThreadFailure = 'timeout' | 'crash' | 'start';

export interface ThreadBounds {
  readonly timeoutMs: number;
  readonly memory: ResourceLimits;
}

/**
 * One thread of this process for what a stranger wrote. Whatever it is, it ends within the deadline and the memory that are
 * there for it, and nothing else of the process waits. It is started with the first work that it gets; its program says
 * that it is ready, and then answers each message with one.
 */
export class BoundedThread<Work, Answer> {
  private started: Promise<Worker> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly program: string | URL,
    private readonly bounds: ThreadBounds,
  ) {}

  /** One after another, since an answer does not say to which work it belongs. Never rejects. */
  ask(work: Work): Promise<{ readonly answer: Answer } | { readonly failure: ThreadFailure }> {
    const asked = this.last.then(() => this.askNow(work));
    this.last = asked;
    return asked;
  }

  async stop(): Promise<void> {
    const { started } = this;
    this.started = undefined;
    await (await started?.catch(() => undefined))?.terminate();
  }

  /** A thread that is late or has died is replaced with the next work. */
  private async askNow(work: Work): Promise<{ readonly answer: Answer } | { readonly failure: ThreadFailure }> {
    const worker = await this.start().catch(() => null);
    if (!worker) {
      await this.stop();
      return { failure: 'start' };
    }
    try {
      return { answer: await answerOf<Answer>(worker, work, this.bounds.timeoutMs) };
    } catch (error) {
      await this.stop();
      const { cause } = error as { cause?: { name?: string } };
      return { failure: cause?.name === 'TimeoutError' ? 'timeout' : 'crash' };
    }
  }

  /** One that ends by itself, whenever it does, leaves its place. */
  private async start(): Promise<Worker> {
    if (this.started) return this.started;
    const started = startWorker(this.program, this.bounds.memory);
    this.started = started;
    const worker = await started;
    worker.once('exit', () => {
      if (this.started === started) this.started = undefined;
    });
    return worker;
  }
}

/** Only while it works does the thread keep the process alive. */
async function answerOf<Answer>(worker: Worker, work: unknown, timeoutMs: number): Promise<Answer> {
  const ended = new AbortController();
  const end = () => ended.abort();
  // Not AbortSignal.any with AbortSignal.timeout: Node 20 holds both weakly, and a garbage collection takes the deadline away.
  const timer = setTimeout(() => ended.abort(new DOMException('timed out', 'TimeoutError')), timeoutMs);
  worker.once('exit', end);
  worker.ref();
  try {
    worker.postMessage(work);
    const [answer] = (await once(worker, 'message', { signal: ended.signal })) as [Answer];
    return answer;
  } finally {
    clearTimeout(timer);
    worker.unref();
    worker.off('exit', end);
  }
}

/** Without our environment: nothing of it belongs beside what a stranger wrote. */
async function startWorker(program: string | URL, memory: ResourceLimits): Promise<Worker> {
  const worker = new Worker(program, { env: {}, execArgv: [], resourceLimits: memory });
  worker.unref();
  // Whoever waits for an answer hears of an error as well. Between answers nobody does.
  worker.on('error', () => undefined);
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
    return worker;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}
