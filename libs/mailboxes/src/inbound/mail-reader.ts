import { createRequire } from 'node:module';
import { Unavailable } from '#libs/entities';
import type { ThreadFailure } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { BoundedProcess } from './bounded-process.js';
import type { MailAnswer, MailToRead } from './mail-reading.process.js';
import type { ReadMail } from './read-mail.js';

/** By its name in package.json: the compiled file, also where the tests run from the sources. */
const PROGRAM = createRequire(import.meta.url).resolve('#mail-reading-process');

/** Texts are cut before they are read, and files are not in the heap. */
const HEAP_MB = 256;
/** Mails of other accounts may wait for a first reading, never for a second one, which may take what the largest mail takes on a busy machine. */
const FIRST_MS = 3_000;
const AGAIN_MS = 30_000;

type Reading = BoundedProcess<MailToRead, MailAnswer>;

/** Why a mail could not be read. `lost` are the bytes of one that was accepted. */
export class UnreadableMail {
  constructor(readonly reason: 'malformed' | 'lost' | Exclude<ThreadFailure, 'start'>) {}
}

/** Reads mails in processes of their own: one for each that is read at once for the first time, and one for those that are tried again. */
@Injectable()
export class MailReader {
  private readonly first: Reading[] = [];
  private readonly again = newReading(AGAIN_MS);

  /** Throws what passes by itself. */
  async read(mail: MailToRead, { isFirst }: { readonly isFirst: boolean }): Promise<ReadMail | UnreadableMail> {
    const asked = await (isFirst ? this.free() : this.again).ask(mail);
    if ('failure' in asked) return unreadable(asked.failure);
    return 'mail' in asked.answer ? asked.answer.mail : new UnreadableMail('malformed');
  }

  async stop(): Promise<void> {
    await Promise.all([...this.first, this.again].map((reading) => reading.stop()));
  }

  private free(): Reading {
    const free = this.first.find(({ isBusy }) => !isBusy) ?? newReading(FIRST_MS);
    if (!this.first.includes(free)) this.first.push(free);
    return free;
  }
}

const newReading = (timeoutMs: number): Reading => new BoundedProcess(PROGRAM, { timeoutMs, heapMb: HEAP_MB });

function unreadable(failure: ThreadFailure): UnreadableMail {
  if (failure === 'start') throw new Unavailable('overloaded', 'No process could be started in which to read a mail.');
  return new UnreadableMail(failure);
}
