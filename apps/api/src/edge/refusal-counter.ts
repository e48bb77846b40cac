import { Counter, Metrics } from '#libs/telemetry';
import { Injectable } from '@nestjs/common';

const REASONS = [
  'slow_headers',
  'slow_body',
  'slow_upload',
  'slow_reader',
  'open_requests',
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
    this.counter = new Counter({
      name: 'deskwire_http_refused_total',
      help: 'Requests and connections refused or ended at a limit.',
      labelNames: ['reason'],
      registers: [metrics],
    });
    // Prometheus misses an increase of a series that did not exist before.
    for (const reason of REASONS) this.counter.inc({ reason }, 0);
  }

  count(reason: RefusalReason): void {
    this.counter.inc({ reason });
  }
}
