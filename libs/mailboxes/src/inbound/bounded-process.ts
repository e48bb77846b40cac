import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type ThreadFailure, failureOf, nextMessage } from '#libs/tickets';

const START_TIMEOUT_MS = 10_000;
/** An idle process ends and frees its memory. */
const IDLE_MS = 30_000;

interface ProcessBounds {
  readonly timeoutMs: number;
  /** The program limits its memory outside the heap. */
  readonly heapMb: number;
}

/**
 * Handles untrusted content in a child process, which may run out of time or memory without ending this one, as a
 * thread would. The program reports that it is ready, then answers each message with one.
 */
export class BoundedProcess<Work, Answer> {
  private started: Promise<ChildProcess> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private pending = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly program: string,
    private readonly bounds: ProcessBounds,
  ) {}

  get isBusy(): boolean {
    return this.pending > 0;
  }

  /** One at a time, since an answer does not name its work. Never rejects. */
  ask(work: Work): Promise<{ readonly answer: Answer } | { readonly failure: ThreadFailure }> {
    clearTimeout(this.idle);
    this.pending++;
    const answer = this.last.then(() => this.askNow(work)).finally(() => this.rest());
    this.last = answer;
    return answer;
  }

  /** The current work fails. */
  async stop(): Promise<void> {
    clearTimeout(this.idle);
    const { started } = this;
    this.started = undefined;
    const child = await started?.catch(() => undefined);
    if (child) await kill(child);
  }

  private rest(): void {
    this.pending--;
    if (!this.isBusy) this.idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
  }

  private async askNow(work: Work): Promise<{ readonly answer: Answer } | { readonly failure: ThreadFailure }> {
    const child = await this.start().catch(() => null);
    if (!child) {
      this.started = undefined;
      return { failure: 'start' };
    }
    try {
      return { answer: await answerOf<Answer>(child, work, this.bounds.timeoutMs) };
    } catch (error) {
      await this.stop();
      return { failure: failureOf(error) };
    }
  }

  private async start(): Promise<ChildProcess> {
    if (this.started) return this.started;
    const started = startProcess(this.program, this.bounds.heapMb);
    this.started = started;
    const child = await started;
    child.once('exit', () => {
      if (this.started === started) this.started = undefined;
    });
    return child;
  }
}

/** An idle child does not keep this process alive. */
async function answerOf<Answer>(child: ChildProcess, work: unknown, timeoutMs: number): Promise<Answer> {
  if (hasEnded(child)) throw new Error('the process has ended');
  child.channel?.ref();
  try {
    const answer = nextMessage<Answer>(child, timeoutMs);
    child.send(work as object, (error) => error && child.kill('SIGKILL'));
    return await answer;
  } finally {
    child.channel?.unref();
  }
}

/**
 * Passes no environment, since the content is untrusted. Drops what V8 prints when it dies, which is not in our log
 * format.
 */
async function startProcess(program: string, heapMb: number): Promise<ChildProcess> {
  const child = fork(program, [], {
    env: {},
    execArgv: [`--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('error', () => undefined);
  try {
    await nextMessage(child, START_TIMEOUT_MS);
    child.unref();
    child.channel?.unref();
    return child;
  } catch (error) {
    await kill(child);
    throw error;
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await exited;
}
