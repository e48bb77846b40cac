import { Counter, LOGGER, type Logger, Metrics } from '#libs/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import type { ArrivalEnd, ClaimedArrival } from './arrival.statements.js';

/** What logs and metrics say of mails that arrived. */
@Injectable()
export class MailMetrics {
  private readonly ended: Counter<'state'>;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.ended = new Counter({
      name: 'deskwire_mails_understood_total',
      help: 'Mails that arrived and were understood, by what became of them',
      labelNames: ['state'],
      registers: [metrics],
    });
  }

  understood(state: ArrivalEnd['state']): void {
    this.ended.inc({ state });
  }

  postponed({ id: arrival }: ClaimedArrival, tries: number, error: unknown): void {
    this.logger.error({ err: error, arrival, tries }, 'a mail could not be understood and is tried again');
  }

  abandoned({ id: arrival }: ClaimedArrival, error: unknown): void {
    this.logger.error({ err: error, arrival }, 'a mail could not be postponed and is tried again when its lease ends');
  }
}
