import { type EventEmitter, once } from 'node:events';
import { type ResourceLimits, Worker } from 'node:worker_threads';

const START_TIMEOUT_MS = 10_000;
/** An idle program ends and frees its memory. */
const IDLE_MS = 30_000;

/** A thread or a child process. It reports that it is ready, then answers each message with one. */
export interface RunningProgram<Work> {
  readonly sender: EventEmitter;
  readonly send: (work: Work) => void;
  readonly ref: () => void;
  readonly unref: () => void;
  readonly stop: () => Promise<unknown>;
}

export type ProgramFailure = 'timeout' | 'crash' | 'start';

type Outcome<Answer> = { readonly answer: Answer } | { readonly failure: ProgramFailure };

/** Handles untrusted content in a program that may run out of time or memory without ending this process. */
export class BoundedProgram<Work, Answer> {
  private program: RunningProgram<Work> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private pending = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly launch: () => RunningProgram<Work>,
    private readonly timeoutMs: number,
  ) {}

  get isBusy(): boolean {
    return this.pending > 0;
  }

  /** One at a time, since an answer does not name its work. Never rejects. */
  ask(work: Work): Promise<Outcome<Answer>> {
    clearTimeout(this.idle);
    this.pending++;
    const answer = this.last.then(() => this.askNow(work)).finally(() => this.rest());
    this.last = answer;
    return answer;
  }

  /** The current work fails. */
  async stop(): Promise<void> {
    clearTimeout(this.idle);
    const { program } = this;
    this.program = undefined;
    await program?.stop();
  }

  private rest(): void {
    this.program?.unref();
    this.pending--;
    if (!this.isBusy) this.idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
  }

  private async askNow(work: Work): Promise<Outcome<Answer>> {
    let isReady = this.program !== undefined;
    try {
      const program = (this.program ??= this.start());
      // It keeps this process alive only while it works.
      program.ref();
      if (!isReady) await nextMessage(program.sender, START_TIMEOUT_MS);
      isReady = true;
      program.send(work);
      return { answer: await nextMessage<Answer>(program.sender, this.timeoutMs) };
    } catch (error) {
      await this.stop();
      return { failure: isReady ? failureOf(error) : 'start' };
    }
  }

  private start(): RunningProgram<Work> {
    const program = this.launch();
    // A caller that waits also gets the error. Between answers it is ignored.
    program.sender.on('error', () => undefined);
    program.sender.once('exit', () => {
      if (this.program === program) this.program = undefined;
    });
    return program;
  }
}

/** Rejects when the program ends, or with a TimeoutError as cause. */
async function nextMessage<Message>(sender: EventEmitter, timeoutMs: number): Promise<Message> {
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

function failureOf(error: unknown): ProgramFailure {
  const { cause } = error as { cause?: { name?: string } };
  return cause?.name === 'TimeoutError' ? 'timeout' : 'crash';
}

/** The environment holds secrets, so it is empty. */
export function startThread(program: string | URL, resourceLimits: ResourceLimits): RunningProgram<unknown> {
  const worker = new Worker(program, { env: {}, execArgv: [], resourceLimits });
  return {
    sender: worker,
    send: (work) => worker.postMessage(work),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    stop: () => worker.terminate(),
  };
}
