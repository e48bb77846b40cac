import { hostname } from 'node:os';
import { Clock, Database, DatabaseClock, MAX_SKEW_MS, logSkew } from '#libs/database';
import { OutageLog } from '#libs/telemetry';
import { HEARTBEAT_EVERY_MS } from '#libs/delivery';
import { Inject, Injectable } from '@nestjs/common';
import { REPORT_CLOCK } from './api-clock.statements.js';

const CHECK_INTERVAL_MS = 1_000;

/** While a machine sleeps, `performance.now()` stands still, and its clock seems to jump. */
const MAX_JUMP_MS = 1_000;

/** Follows PostgreSQL’s clock, and reports this machine’s while it is wrong. */
@Injectable()
export class ApiClockService {
  private reading: Promise<void> | undefined;
  private dueAt = 0;
  private lastSkewMs = 0;

  constructor(
    private readonly database: Database,
    // `ApiModule` provides a `DatabaseClock` under the token `Clock`, which all other classes inject.
    @Inject(Clock) private readonly clock: DatabaseClock,
    private readonly outages: OutageLog,
  ) {}

  start(): void {
    setInterval(() => this.readIfDue(), CHECK_INTERVAL_MS).unref();
  }

  private readIfDue(): void {
    const hasJumped = Math.abs((this.clock.skewMs ?? 0) - this.lastSkewMs) > MAX_JUMP_MS;
    if (performance.now() < this.dueAt && !hasJumped) return;
    // Fails while the database is away.
    this.reading ??= this.read()
      .catch(() => undefined)
      .finally(() => (this.reading = undefined));
  }

  private async read(): Promise<void> {
    await this.clock.read(this.database.dataSource);
    this.dueAt = performance.now() + HEARTBEAT_EVERY_MS;
    this.lastSkewMs = Math.round(this.clock.skewMs ?? 0);
    logSkew(this.outages, this.lastSkewMs);
    if (Math.abs(this.lastSkewMs) < MAX_SKEW_MS) return;
    await this.database.system().rows(REPORT_CLOCK, [hostname(), process.pid, this.lastSkewMs]);
  }
}
