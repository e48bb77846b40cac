import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TransferProgress } from './transfer-progress.js';

export interface TransferLimits {
  readonly bodyMs: number;
  readonly stallMs: number;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export type Overdue = 'slow_body' | 'slow_upload' | 'slow_reader';

/** What is arriving: a body, files, or the rest of a body that was answered before its end. */
type Arriving = 'nothing' | 'body' | 'upload' | 'rest';

const uploads = new WeakSet<IncomingMessage>();

/** Files may take as long as they move. Call the returned function when they have arrived. */
export function expectUpload(request: IncomingMessage): () => void {
  uploads.add(request);
  return () => void uploads.delete(request);
}

/** A connection with its latest request. Earlier ones have arrived by then, however many wait for their answers. */
export class WatchedConnection {
  exchange: Exchange | undefined;
  /** The same exchange as Fastify has it, once it has. */
  open: { readonly request: FastifyRequest; readonly reply: FastifyReply } | undefined;
  private arriving: Arriving = 'nothing';
  private since = 0;
  private readonly received: TransferProgress;
  private readonly sent: TransferProgress;

  constructor(
    readonly socket: Socket,
    private readonly limits: TransferLimits,
  ) {
    this.received = new TransferProgress(limits.stallMs);
    this.sent = new TransferProgress(limits.stallMs);
  }

  begin(exchange: Exchange): void {
    this.exchange = exchange;
    this.arriving = 'nothing';
  }

  /** Asked at intervals. Time counts from the first time that something is seen. */
  overdue(now: number): Overdue | undefined {
    if (this.readerStalls(now)) return 'slow_reader';
    const arriving = arrivingOf(this.exchange);
    if (arriving !== this.arriving) {
      this.arriving = arriving;
      this.since = now;
      this.received.restart(now, this.socket.bytesRead);
    }
    if (arriving === 'nothing') return undefined;
    if (arriving === 'upload') return this.uploadStalls(now) ? 'slow_upload' : undefined;
    return now - this.since >= this.limits.bodyMs ? 'slow_body' : undefined;
  }

  /** What has arrived and is not read yet waits for the storage, not for the client. */
  private uploadStalls(now: number): boolean {
    const { bytesRead } = this.socket;
    if (this.exchange!.request.readableLength > 0) this.received.restart(now, bytesRead);
    return this.received.isStalled(now, bytesRead);
  }

  private readerStalls(now: number): boolean {
    const taken = this.socket.bytesWritten - unsentBytes(this.socket);
    if (this.socket.writableLength === 0) this.sent.restart(now, taken);
    return this.sent.isStalled(now, taken);
  }
}

function arrivingOf(exchange: Exchange | undefined): Arriving {
  if (!exchange || exchange.request.complete) return 'nothing';
  if (exchange.response.writableEnded) return 'rest';
  return uploads.has(exchange.request) ? 'upload' : 'body';
}

/** Node counts one write as one, however large. Its own time-outs look at the handle too, which knows the bytes. */
function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}
