import { createRequire } from 'node:module';
import { Unavailable } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { BoundedThread, type ThreadFailure } from '../threads/bounded-thread.js';
import type { MailAnswer, MailToRead } from './mail-reading.thread.js';
import type { ReadMail } from './read-mail.js';

/** By its name in package.json: the compiled file, also where the tests run from the sources. */
const THREAD = createRequire(import.meta.url).resolve('#mail-reading-thread');

/** A mail of 50 MiB is held in memory several times while it is read. */
const BOUNDS = { timeoutMs: 30_000, memory: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64 } };

/** Why a mail could not be read. `lost` are the bytes of one that was accepted. */
export class UnreadableMail {
  constructor(readonly reason: 'malformed' | 'lost' | Exclude<ThreadFailure, 'start'>) {}
}

/** Reads mails, one at a time, in a thread of their own. */
@Injectable()
export class MailReader {
  private readonly thread = new BoundedThread<MailToRead, MailAnswer>(THREAD, BOUNDS);

  /** Throws what passes by itself. */
  async read(mail: MailToRead): Promise<ReadMail | UnreadableMail> {
    const asked = await this.thread.ask(mail);
    if ('failure' in asked) return unreadable(asked.failure);
    return 'mail' in asked.answer ? asked.answer.mail : new UnreadableMail('malformed');
  }

  stop(): Promise<void> {
    return this.thread.stop();
  }
}

function unreadable(failure: ThreadFailure): UnreadableMail {
  if (failure === 'start') throw new Unavailable('overloaded', 'No thread could be started in which to read a mail.');
  return new UnreadableMail(failure);
}
