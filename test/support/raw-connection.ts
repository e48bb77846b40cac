import { type Socket, connect } from 'node:net';

/** A client that speaks in bytes, and may stop in the middle of anything. */
export class RawConnection {
  /** All that was read, when the connection has ended in whatever way. */
  readonly ended: Promise<string>;
  readonly socket: Socket;
  private heard = '';

  constructor(base: string) {
    const { hostname, port } = new URL(base);
    this.socket = connect(Number(port), hostname);
    this.socket.setEncoding('latin1').on('data', (part: string) => (this.heard += part));
    // Whoever is cut off may see a reset; that it ended is what counts.
    this.socket.on('error', () => undefined);
    this.ended = new Promise((resolve) => this.socket.on('close', () => resolve(this.heard)));
  }

  get answer(): string {
    return this.heard;
  }

  send(...lines: readonly string[]): this {
    this.socket.write(lines.join('\r\n'));
    return this;
  }

  /** A byte at a time, for as long as anybody takes them. */
  drip(everyMs = 20): this {
    const timer = setInterval(() => this.socket.write('a'), everyMs);
    this.socket.on('close', () => clearInterval(timer));
    return this;
  }

  close(): void {
    this.socket.destroy();
  }
}
