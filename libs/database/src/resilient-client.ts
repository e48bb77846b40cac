import { callbackify } from 'node:util';
import { Client, type ClientConfig } from 'pg';
import type { PrimaryFinder } from './primary-finder.js';
import { watchSilence } from './silence.js';

/** A primary became a standby. The next connection finds the one that took its place. */
const TAKES_NO_WRITES = '25006';

export interface ResilientOptions {
  /** How long an answer may take, however sure it is that the server is there. For ever unless said. */
  readonly maxSilenceMs?: number | undefined;
  /** Which of several hosts to connect to. */
  readonly primaries?: PrimaryFinder;
}

/**
 * A dying connection can fail more than once, and in the very moment that it is handed over: whoever used it listens no
 * more or not yet, and hears of the loss through its query. Where nobody listens, the failure would end the process.
 */
export class ResilientClient extends Client {
  private readonly primaries: PrimaryFinder | undefined;

  constructor(options: ClientConfig & ResilientOptions) {
    super(options);
    this.primaries = options.primaries;
    this.once('connect', () => watchSilence(this, options.maxSilenceMs));
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === TAKES_NO_WRITES) setImmediate(() => this.connection.stream.destroy());
    });
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'error' && this.listenerCount(event) === 0) return false;
    return super.emit(event, ...args);
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | void {
    if (!this.primaries) return callback ? super.connect(callback) : super.connect();
    const connected = this.primaries.find().then((host) => {
      Object.assign(this, host);
      return super.connect();
    });
    if (!callback) return connected;
    callbackify(() => connected)(callback);
  }
}
