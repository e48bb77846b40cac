import { parentPort } from 'node:worker_threads';
import { type ReadMail, readMail } from './read-mail.js';

export interface MailToRead {
  readonly raw: Uint8Array;
  readonly envelopeFrom: string | null;
}

export type MailAnswer = { readonly mail: ReadMail } | { readonly fault: string };

// The program of the thread in which mails are read. Its first message says that it is ready.
parentPort!.on('message', ({ raw, envelopeFrom }: MailToRead) => {
  parentPort!.postMessage(answerTo(raw, envelopeFrom));
});
parentPort!.postMessage('ready');

function answerTo(raw: Uint8Array, envelopeFrom: string | null): MailAnswer {
  try {
    return { mail: readMail(raw, envelopeFrom) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
