import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../database.js';
import { LOOK_EVERY_MS } from './replica.js';
import { POSITION_ON_DISK, walPosition } from './wal-position.js';

/** Knows from start to stop whether there is a replica that can be read. Does nothing where none is set. */
@Injectable()
export class ReplicaWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly database: Database) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.database.replica) await this.look();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.looking;
    await this.database.replica?.end();
  }

  private look(): Promise<void> {
    const askPrimary = async () =>
      walPosition((await this.database.system().row<{ lsn: string }>(POSITION_ON_DISK))!.lsn);
    this.looking = this.database.replica!.look(askPrimary).finally(() => this.lookAgain());
    return this.looking;
  }

  private lookAgain(): void {
    if (!this.stopped) this.timer = setTimeout(() => void this.look(), LOOK_EVERY_MS).unref();
  }
}
