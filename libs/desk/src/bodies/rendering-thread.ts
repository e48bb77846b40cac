import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { RenderedBody } from './render-body.js';

/** By its name in package.json: the compiled file, also where the tests run from the sources. */
const PROGRAM = createRequire(import.meta.url).resolve('#rendering-thread');

/** It loads the sanitizer. */
const START_TIMEOUT_MS = 10_000;

/** What the slowest body needs, ten times over: docs/decisions/message-bodies.md. */
const TIMEOUT_MS = 3000;

/** The worst body needs 24 MB of the old generation. */
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 32 };

/** Why a body was not rendered. */
export type RenderingFailure = 'timeout' | 'crash';

/** One thread of this process, started with the first body that it gets. It renders one body at a time. */
export class RenderingThread {
  private started: Promise<Worker> | undefined;

  constructor(
    private readonly program: string | URL = PROGRAM,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Never rejects. A thread that is late or has died is replaced with the next body. */
  async render(body: string): Promise<RenderedBody | RenderingFailure> {
    try {
      return await answerOf(await (this.started ??= startWorker(this.program)), body, this.timeoutMs);
    } catch (error) {
      await this.stop();
      return (error as Error).name === 'AbortError' ? 'timeout' : 'crash';
    }
  }

  async stop(): Promise<void> {
    const started = this.started;
    this.started = undefined;
    await (await started?.catch(() => undefined))?.terminate();
  }
}

/** Only while it works does the thread keep the process alive. */
async function answerOf(worker: Worker, body: string, timeoutMs: number): Promise<RenderedBody> {
  worker.ref();
  try {
    worker.postMessage(body);
    const [rendered] = (await once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) })) as [RenderedBody];
    return rendered;
  } finally {
    worker.unref();
  }
}

/** Without our environment: nothing of it belongs beside what a stranger wrote. */
async function startWorker(program: string | URL): Promise<Worker> {
  const worker = new Worker(program, { env: {}, execArgv: [], resourceLimits: MEMORY });
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
