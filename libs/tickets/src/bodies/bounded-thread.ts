import { type EventEmitter, once } from 'node:events';
import { type ResourceLimits, Worker } from 'node:worker_threads';

const START_TIMEOUT_MS = 10_000;

export type ThreadFailure = 'timeout' | 'crash' | 'start';

/**
 * A thread with limits of time and memory for content of strangers. It reports ready, then answers each message with
 * one.
 */
export class BoundedThread<Work, Answer> {
  private started: Promise<Worker> | undefined;

  constructor(
    private readonly program: string | URL,
    private readonly bounds: { readonly timeoutMs: number; readonly memory: ResourceLimits },
  ) {}

  /** Call it with one input at a time, since answers carry no id. Never rejects. */
  async ask(work: Work): Promise<{ readonly answer: Answer } | { readonly failure: ThreadFailure }> {
    const worker = await this.start().catch(() => null);
    if (!worker) {
      await this.stop();
      return { failure: 'start' };
    }
    try {
      return { answer: await answerOf<Answer>(worker, work, this.bounds.timeoutMs) };
    } catch (error) {
      await this.stop();
      return { failure: failureOf(error) };
    }
  }

  async stop(): Promise<void> {
    const { started } = this;
    this.started = undefined;
    await (await started?.catch(() => undefined))?.terminate();
  }

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

/** The thread keeps the process alive only while it works. */
async function answerOf<Answer>(worker: Worker, work: unknown, timeoutMs: number): Promise<Answer> {
  worker.ref();
  try {
    worker.postMessage(work);
    return await nextMessage<Answer>(worker, timeoutMs);
  } finally {
    worker.unref();
  }
}

/** Rejects when the thread or process ends, or with a TimeoutError as cause. */
export async function nextMessage<Message>(sender: EventEmitter, timeoutMs: number): Promise<Message> {
  const ended = new AbortController();
  const end = () => ended.abort();
  // Not AbortSignal.any with AbortSignal.timeout: Node 20 holds both weakly, so a garbage collection removes the
  // deadline.
  const timer = setTimeout(() => ended.abort(new DOMException('timed out', 'TimeoutError')), timeoutMs);
  sender.once('exit', end);
  try {
    const [message] = (await once(sender, 'message', { signal: ended.signal })) as [Message];
    return message;
  } finally {
    clearTimeout(timer);
    sender.off('exit', end);
  }
}

export function failureOf(error: unknown): ThreadFailure {
  const { cause } = error as { cause?: { name?: string } };
  return cause?.name === 'TimeoutError' ? 'timeout' : 'crash';
}

/** The environment holds secrets, so it is empty. */
async function startWorker(program: string | URL, memory: ResourceLimits): Promise<Worker> {
  const worker = new Worker(program, { env: {}, execArgv: [], resourceLimits: memory });
  worker.unref();
  // A caller that waits also gets the error. Between answers it is ignored.
  worker.on('error', () => undefined);
  try {
    await nextMessage(worker, START_TIMEOUT_MS);
    return worker;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}
