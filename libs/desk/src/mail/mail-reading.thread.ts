import { parentPort } from 'node:worker_threads';
// Before the parser, which makes decoders when it is loaded.
import './forgive-charsets.js';
import { type ReadMail, readMail } from './read-mail.js';

export interface MailToRead {
  readonly raw: Uint8Array;
  readonly envelopeFrom: string | null;
}

export type MailAnswer = { readonly mail: ReadMail } | { readonly fault: string };

// The program of the thread in which mails are read. Its first message says that it is ready.
parentPort!.on('message', ({ raw, envelopeFrom }: MailToRead) => {
  void answerTo(raw, envelopeFrom).then((answer) => parentPort!.postMessage(answer));
});
parentPort!.postMessage('ready');

async function answerTo(raw: Uint8Array, envelopeFrom: string | null): Promise<MailAnswer> {
  try {
    return { mail: await readMail(raw, envelopeFrom) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
