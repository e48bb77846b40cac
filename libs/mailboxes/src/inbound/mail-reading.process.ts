import { guardProcess } from './process-guard.js';
import { type ReadMail, readMail } from './read-mail.js';

export interface MailToRead {
  readonly raw: Uint8Array;
  readonly envelopeFrom: string | null;
}

export type MailAnswer = { readonly mail: ReadMail } | { readonly fault: string };

/** A mail of 50 MiB takes 400 MB: its bytes as they came, as they are decoded, and on their way in and out. */
const MAX_MEMORY_BYTES = 768 * 1024 * 1024;

// The program of the process in which mails are read. Its first message says that it is ready.
guardProcess(MAX_MEMORY_BYTES);
process.on('message', ({ raw, envelopeFrom }: MailToRead) => {
  process.send!(answerTo(raw, envelopeFrom));
});
process.on('disconnect', () => process.exit());
process.send!('ready');

function answerTo(raw: Uint8Array, envelopeFrom: string | null): MailAnswer {
  try {
    return { mail: readMail(raw, envelopeFrom) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
