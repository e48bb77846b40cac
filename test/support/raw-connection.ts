import { type Socket, connect } from 'node:net';

/** A client that sends raw bytes, and may stop in the middle of anything. */
export class RawConnection {
  /** Everything received, once the connection has ended. */
  readonly ended: Promise<string>;
  readonly socket: Socket;
  private heard = '';

  constructor(base: string) {
    const { hostname, port } = new URL(base);
    this.socket = connect(Number(port), hostname);
    this.socket.setEncoding('latin1').on('data', (part: string) => (this.heard += part));
    // A reset may end the connection as well.
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

  /** Sends a byte at a time, as long as the server reads. */
  drip(everyMs = 20): this {
    const timer = setInterval(() => this.socket.write('a'), everyMs);
    this.socket.on('close', () => clearInterval(timer));
    return this;
  }

  close(): void {
    this.socket.destroy();
  }
}
