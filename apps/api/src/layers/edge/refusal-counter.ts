import { type Counter, Metrics, metricMakers } from '#libs/telemetry';
import { Injectable } from '@nestjs/common';

const REASONS = [
  'slow_headers',
  'slow_body',
  'slow_upload',
  'slow_reader',
  'open_requests',
  'overload',
  'connections',
  'body_memory',
  'answer_memory',
  'live_streams',
  'waiting_requests',
] as const;

type RefusalReason = (typeof REASONS)[number];

@Injectable()
export class RefusalCounter {
  private readonly counter: Counter<'reason'>;

  constructor(metrics: Metrics) {
    const help = 'Requests and connections refused or closed at a limit.';
    this.counter = metricMakers(metrics).counterOf('deskwire_http_refused_total', help, { reason: REASONS });
  }

  count(reason: RefusalReason): void {
    this.counter.inc({ reason });
  }
}
