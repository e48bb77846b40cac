import { Client } from 'pg';

/**
 * A dying connection can fail more than once, and in the very moment that it is handed over: whoever used it listens no
 * more or not yet, and hears of the loss through its query. Where nobody listens, the failure would end the process.
 */
export class ResilientClient extends Client {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'error' && this.listenerCount(event) === 0) return false;
    return super.emit(event, ...args);
  }
}
