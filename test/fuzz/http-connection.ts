import { type Socket, connect } from 'node:net';
import { type Answer, AnswerReader } from './answer-reader.js';
import type { Wire } from './wire.js';

export interface Exchange {
  readonly answers: readonly Answer[];
  /** Why the response is incomplete. */
  readonly fault?: string;
  readonly ms: number;
}

/** A loaded machine answers late, but it answers. */
const HANGS_AFTER_MS = 15_000;

/** Servers end connections that were idle for some seconds. A request at that moment gets no response. */
const KEPT_FOR_MS = 2000;

/** Sends bytes unchanged, one exchange after the other, and reuses its connection where the protocol allows it. */
export class HttpConnection {
  private kept: { readonly socket: Socket; readonly since: number } | undefined;

  constructor(private readonly base: string) {}

  async exchange(wire: Wire): Promise<Exchange> {
    const began = performance.now();
    const known = wire.ending === 'reuse' ? this.takeKept() : undefined;
    const result = await new Promise<Omit<Exchange, 'ms'>>((resolve) => {
      this.run(known ?? this.open(), wire, resolve);
    });
    return { ...result, ms: performance.now() - began };
  }

  close(): void {
    this.kept?.socket.destroy();
    this.kept = undefined;
  }

  private takeKept(): Socket | undefined {
    const { kept } = this;
    this.kept = undefined;
    if (kept?.socket.readyState === 'open' && performance.now() - kept.since < KEPT_FOR_MS) return kept.socket;
    kept?.socket.destroy();
    return undefined;
  }

  private open(): Socket {
    const { hostname, port } = new URL(this.base);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true });
    // Bytes that the client sends after a refusal are lost, and so may be the end of the connection.
    socket.on('error', () => undefined);
    // A half-closed connection cannot be reused.
    socket.on('end', () => socket.end());
    return socket;
  }

  private run(socket: Socket, wire: Wire, resolve: (result: Omit<Exchange, 'ms'>) => void): void {
    const reader = new AnswerReader(wire.methods);
    let timer: NodeJS.Timeout | undefined;
    const finish = (fault?: string, answers: readonly Answer[] = reader.answers): void => {
      clearTimeout(timer);
      for (const event of ['data', 'close'] as const) socket.removeAllListeners(event);
      if (fault === undefined && wire.ending === 'reuse' && isKept(reader))
        this.kept = { socket, since: performance.now() };
      else socket.destroy();
      resolve({ answers, ...(fault !== undefined && { fault }) });
    };
    timer = setTimeout(() => finish(`no end of the answer within ${HANGS_AFTER_MS / 1000} s`), HANGS_AFTER_MS);
    socket.on('data', (bytes: Buffer) => {
      reader.push(bytes);
      if (wire.ending === 'reuse' && reader.answers.length > 0) finish();
      if (wire.ending === 'first-bytes' && (reader.started ?? reader.answers[0]))
        finish(undefined, reader.started ? [reader.started] : reader.answers);
    });
    socket.on('close', () => {
      reader.close();
      finish(faultOfClosing(reader, wire));
    });
    send(socket, wire, finish);
  }
}

function faultOfClosing(reader: AnswerReader, { ending }: Wire): string | undefined {
  if (reader.isWithinAnswer) return 'the connection closed in the middle of an answer';
  const mayBeSilent = ending === 'half-close' || ending === 'abort';
  return reader.answers.length === 0 && !mayBeSilent ? 'the connection closed without an answer' : undefined;
}

const isKept = ({ answers }: AnswerReader): boolean =>
  answers.at(-1)?.headers.get('connection')?.toLowerCase() !== 'close';

function send(socket: Socket, { pieces, ending }: Wire, finish: () => void): void {
  let at = 0;
  const next = (): void => {
    if (socket.destroyed) return;
    const piece = pieces[at++];
    if (piece) socket.write(piece, () => setImmediate(next));
    else if (ending === 'half-close') socket.end();
    else if (ending === 'abort') finish();
  };
  next();
}
