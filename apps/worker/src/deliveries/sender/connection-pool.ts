import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { ExchangeInterrupted } from './failure.js';

export interface PoolLimits {
  readonly maxIdle: number;
  /** An older connection closes, and the name is checked again. */
  readonly maxAgeMs: number;
}

const DEFAULT_LIMITS: PoolLimits = { maxIdle: 1_000, maxAgeMs: 60_000 };

/**
 * The addresses of open connections were checked and cannot change. Old connections close, so that a receiver can move.
 */
export class ConnectionPool {
  private readonly byOrigin = new Map<string, Connection[]>();
  private readonly oldestFirst = new Set<Connection>();

  constructor(private readonly limits: PoolLimits = DEFAULT_LIMITS) {}

  get idle(): number {
    return this.oldestFirst.size;
  }

  /** Least likely to have been closed by the receiver. */
  take(origin: string): Connection | null {
    const connections = this.byOrigin.get(origin);
    for (let connection = connections?.pop(); connection; connection = connections?.pop()) {
      this.oldestFirst.delete(connection);
      if (this.isUsable(connection)) return connection;
      connection.close();
    }
    return null;
  }

  keep(connection: Connection): void {
    if (!this.isUsable(connection)) return connection.close();
    const connections = this.byOrigin.get(connection.origin);
    if (connections) connections.push(connection);
    else this.byOrigin.set(connection.origin, [connection]);
    this.oldestFirst.add(connection);
    if (this.oldestFirst.size > this.limits.maxIdle) this.closeOldest();
  }

  forget(connection: Connection): void {
    const connections = this.byOrigin.get(connection.origin);
    this.oldestFirst.delete(connection);
    if (!connections) return;
    const place = connections.indexOf(connection);
    if (place >= 0) connections.splice(place, 1);
    if (connections.length === 0) this.byOrigin.delete(connection.origin);
  }

  closeAll(): void {
    for (const connection of this.oldestFirst) {
      this.forget(connection);
      connection.close();
    }
  }

  private isUsable(connection: Connection): boolean {
    return connection.isOpen && performance.now() - connection.openedAt < this.limits.maxAgeMs;
  }

  private closeOldest(): void {
    const [oldest] = this.oldestFirst;
    if (!oldest) return;
    this.forget(oldest);
    oldest.close();
  }
}

/** Includes status lines, headers, chunk extensions and trailers. */
export const MAX_RESPONSE_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

/** Many servers that send no time hang up after five seconds. */
const KEEP_ALIVE_MS = 4_000;

/** Never reconnects: that needs a new check of the addresses. */
export class Connection {
  readonly openedAt = performance.now();
  requests = 0;
  private readonly client: Client;
  private bytesReadBefore = 0;

  constructor(
    readonly origin: string,
    private readonly socket: Socket,
  ) {
    // Before undici’s listener, so that nothing beyond the limit is parsed.
    socket.on('readable', () => this.limitResponse());
    this.client = new Client(origin, {
      connect: over(socket),
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // One deadline covers the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** The receiver may have closed a reused connection. */
  get isReused(): boolean {
    return this.requests > 1;
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.requests += 1;
    this.bytesReadBefore = this.socket.bytesRead;
    this.client.dispatch(request, handler);
  }

  onClose(listener: () => void): void {
    this.socket.once('close', listener);
  }

  close(reason?: ExchangeInterrupted): void {
    this.socket.destroy(reason);
  }

  private limitResponse(): void {
    if (this.socket.bytesRead - this.bytesReadBefore > MAX_RESPONSE_BYTES) this.close(responseTooLong());
  }
}

export function responseTooLong(): ExchangeInterrupted {
  return new ExchangeInterrupted('too_long', `the answer is longer than ${MAX_RESPONSE_BYTES / 1024} KiB`);
}

/** undici asks for another connection and is refused. */
function over(socket: Socket): NonNullable<Client.Options['connect']> {
  return (_options, callback) =>
    // Deferred, because undici ignores its queue while it asks for a connection.
    queueMicrotask(() => (socket.destroyed ? callback(closedEarly(), null) : callback(null, socket)));
}

function closedEarly(): ExchangeInterrupted {
  return new ExchangeInterrupted('reset', 'the connection was closed before the request was sent');
}
