import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { MailAnswer, MailToRead } from './mail-reading.thread.js';
import type { ReadMail } from './read-mail.js';

/** By its name in package.json: the compiled file, also where the tests run from the sources. */
const PROGRAM = createRequire(import.meta.url).resolve('#mail-reading-thread');

const START_TIMEOUT_MS = 10_000;
/** The largest mail that is accepted takes about two seconds: docs/decisions/mail.md. */
const TIMEOUT_MS = 30_000;
const MEMORY = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64 };

/** Why a mail could not be read. */
export class UnreadableMail {
  constructor(readonly reason: 'malformed' | 'timeout' | 'crash') {}
}

/**
 * Reads mails in a thread of their own, one at a time: whatever a stranger wrote, it ends within the deadline and the memory
 * that are there for it, and nothing else of the process waits.
 */
@Injectable()
export class MailReader implements OnApplicationShutdown {
  private started: Promise<Worker> | undefined;

  /** Never rejects. A thread that is late or has died is replaced with the next mail. */
  async read(mail: MailToRead): Promise<ReadMail | UnreadableMail> {
    try {
      const answer = await answerOf(await (this.started ??= startWorker()), mail);
      return 'mail' in answer ? answer.mail : new UnreadableMail('malformed');
    } catch (error) {
      await this.stop();
      return new UnreadableMail((error as Error).name === 'AbortError' ? 'timeout' : 'crash');
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  private async stop(): Promise<void> {
    const { started } = this;
    this.started = undefined;
    await (await started?.catch(() => undefined))?.terminate();
  }
}

/** Only while it works does the thread keep the process alive. */
async function answerOf(worker: Worker, mail: MailToRead): Promise<MailAnswer> {
  worker.ref();
  try {
    worker.postMessage(mail);
    const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })) as [MailAnswer];
    return answer;
  } finally {
    worker.unref();
  }
}

/** Without our environment: nothing of it belongs beside what a stranger wrote. */
async function startWorker(): Promise<Worker> {
  const worker = new Worker(PROGRAM, { env: {}, execArgv: [], resourceLimits: MEMORY });
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
