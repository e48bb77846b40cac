// Uses undocumented members of imapflow, which offers no hook between its socket and its parser.
// test/mail/imap-floods.spec.ts fails when the installed version lacks them.
/* oxlint-disable no-underscore-dangle */
import type { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ImapFlow } from 'imapflow';
import { ServerFlood } from './connection-fault.js';

/** Limits of a server between two commands. Bodies count only as bytes. */
const LIMITS = {
  responses: 50_000,
  lineBytes: 2 * 1024 * 1024,
  bytes: 16 * 1024 * 1024,
  ms: 300_000,
};

/** A piece of short lines keeps the event loop busy for some milliseconds. */
const PIECE_BYTES = 1024;
/** Parsing pauses three times as long as it ran, so that one connection gets a quarter of the event loop. */
const PAUSE_FACTOR = 3;
const MIN_RUN_MS = 1;
const MAX_PAUSE_MS = 20;

interface Parser extends Pick<Transform, 'destroyed' | 'writableLength'> {
  push: (response: { readonly payload: Buffer; trailingAfterLine: boolean } | null) => boolean;
  _transform: (chunk: Buffer, encoding: BufferEncoding, done: () => void) => unknown;
}

interface Internals {
  readonly streamer: Parser;
  rejectCurrentRequest: (error: Error) => void;
  failProtocol: (error: Error) => void;
}

/** Ends the connection to a server that sends without end, and parses in pieces. */
export function limitReading(client: ImapFlow, limits: Readonly<typeof LIMITS> = LIMITS): void {
  const internals = client as unknown as Internals;
  const { streamer } = internals;
  const transform = streamer._transform.bind(streamer);
  const push = streamer.push.bind(streamer);
  const budget = new ReadingBudget(client, limits);
  let hasMore = false;
  let runMs = 0;

  const spend = (...spent: Parameters<ReadingBudget['spend']>): boolean => {
    const excess = budget.spend(...spent);
    if (excess === null) return true;
    const fault = new ServerFlood(excess);
    internals.rejectCurrentRequest(fault);
    internals.failProtocol(fault);
    return false;
  };
  const parse = async (chunk: Buffer): Promise<void> => {
    for (let from = 0; from < chunk.length && !streamer.destroyed; from += PIECE_BYTES) {
      const piece = chunk.subarray(from, from + PIECE_BYTES);
      if (!spend('bytes', piece.length)) return;
      hasMore = from + PIECE_BYTES < chunk.length || streamer.writableLength > chunk.length;
      const began = performance.now();
      await new Promise<void>((resolve) => transform(piece, 'utf8', resolve));
      runMs += performance.now() - began;
      if (runMs < MIN_RUN_MS) continue;
      await delay(Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * runMs));
      runMs = 0;
    }
  };
  streamer._transform = async (chunk, _encoding, done) => {
    await parse(chunk);
    done();
  };
  streamer.push = (response) => {
    if (response === null) return push(null);
    if (!spend('responses', 1) || !spend('lineBytes', response.payload.length)) return false;
    // The library refuses STARTTLS if text follows the response.
    response.trailingAfterLine ||= hasMore;
    return push(response);
  };
}

class ReadingBudget {
  private left = { ...LIMITS };
  private sentBytes = -1;
  private endsAt = 0;

  constructor(
    private readonly client: ImapFlow,
    private readonly limits: Readonly<typeof LIMITS>,
  ) {}

  /** Returns a sentence if the limits are exceeded. */
  spend(what: 'responses' | 'lineBytes' | 'bytes', amount: number): string | null {
    this.renew();
    this.left[what] -= amount;
    if (performance.now() > this.endsAt) return 'The server did not finish its response in time.';
    return this.left[what] < 0 ? 'The server sent too much in response to one command.' : null;
  }

  /** A command follows the response to the one before, whatever tags the server makes up. */
  private renew(): void {
    const { sent } = this.client.stats();
    if (sent === this.sentBytes) return;
    this.sentBytes = sent;
    this.left = { ...this.limits };
    this.endsAt = performance.now() + this.limits.ms;
  }
}
