import { Worker } from 'node:worker_threads';
import { type ParsedMail, parseMail } from './parse-mail.js';

export interface MailToParse {
  readonly raw: Uint8Array;
  readonly envelopeFrom: string | null;
}

export type MailAnswer = { readonly mail: ParsedMail } | { readonly fault: string };

/** An email of 50 MiB takes 500 MB. */
const MAX_MEMORY_BYTES = 768 * 1024 * 1024;
const CHECK_INTERVAL_MS = 250;
const GUARD_HEAP = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };

// The child process that parses emails. Its first message reports that it is ready.
guardProcess();
process.on('message', ({ raw, envelopeFrom }: MailToParse) => {
  process.send!(answerTo(raw, envelopeFrom));
});
process.on('disconnect', () => process.exit());
process.send!('ready');

function answerTo(raw: Uint8Array, envelopeFrom: string | null): MailAnswer {
  try {
    return { mail: parseMail(raw, envelopeFrom) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/**
 * Kills this process if it takes too much memory, of which V8 limits only the heap, or if its parent died. In a thread,
 * because the process itself may be in an endless loop.
 */
function guardProcess(): void {
  const program = `
    const { parentPid, maxBytes } = require('node:worker_threads').workerData;
    const check = () => {
      if (process.ppid !== parentPid || process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL');
    };
    setInterval(check, ${CHECK_INTERVAL_MS});
  `;
  const workerData = { parentPid: process.ppid, maxBytes: MAX_MEMORY_BYTES };
  new Worker(program, { eval: true, workerData, resourceLimits: GUARD_HEAP }).unref();
}
