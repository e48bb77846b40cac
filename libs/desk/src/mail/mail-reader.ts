import { createRequire } from 'node:module';
import { Unavailable } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { BoundedThread, type ThreadFailure } from '../threads/bounded-thread.js';
import type { MailAnswer, MailToRead } from './mail-reading.thread.js';
import type { ReadMail } from './read-mail.js';

/** By its name in package.json: the compiled file, also where the tests run from the sources. */
const THREAD = createRequire(import.meta.url).resolve('#mail-reading-thread');

/** A mail of 50 MiB is held in memory several times while it is read. */
const MEMORY = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64 };
/** Others wait for a first reading. Nobody waits for one that is tried again, so that may take what the largest mail takes on a busy machine. */
const FIRST_MS = 5_000;
const AGAIN_MS = 30_000;

/** Why a mail could not be read. `lost` are the bytes of one that was accepted. */
export class UnreadableMail {
  constructor(readonly reason: 'malformed' | 'lost' | Exclude<ThreadFailure, 'start'>) {}
}

/** Reads mails in threads of their own: one at a time for the first time, and one at a time that is tried again. */
@Injectable()
export class MailReader {
  private readonly first = new BoundedThread<MailToRead, MailAnswer>(THREAD, { timeoutMs: FIRST_MS, memory: MEMORY });
  private readonly again = new BoundedThread<MailToRead, MailAnswer>(THREAD, { timeoutMs: AGAIN_MS, memory: MEMORY });

  /** Throws what passes by itself. */
  async read(mail: MailToRead, { isFirst }: { readonly isFirst: boolean }): Promise<ReadMail | UnreadableMail> {
    const asked = await (isFirst ? this.first : this.again).ask(mail);
    if ('failure' in asked) return unreadable(asked.failure);
    return 'mail' in asked.answer ? asked.answer.mail : new UnreadableMail('malformed');
  }

  async stop(): Promise<void> {
    await Promise.all([this.first.stop(), this.again.stop()]);
  }
}

function unreadable(failure: ThreadFailure): UnreadableMail {
  if (failure === 'start') throw new Unavailable('overloaded', 'No thread could be started in which to read a mail.');
  return new UnreadableMail(failure);
}
