import { LOGGER, Counter, type Logger, Metrics } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { FairQueue } from './fair-queue.js';
import { type RenderedBody, isQuicklyRendered, renderBody, renderWithoutMarkup } from './render-body.js';
import { type RenderingFailure, RenderingThread } from './rendering-thread.js';

/** A large mail takes 20 milliseconds, so one that waits behind as many is done within a second. */
const MAX_WAITING = { ofAccount: 50, ofAll: 400 };

const REASONS = ['timeout', 'crash', 'busy'] as const satisfies readonly (RenderingFailure | 'busy')[];

/** Turns bodies into text and into safe HTML. Small ones here, and large ones in a thread, so that nobody waits for them. */
@Injectable()
export class BodyRenderer implements OnApplicationShutdown {
  private readonly thread = new RenderingThread();
  private readonly queue = new FairQueue(MAX_WAITING);
  private readonly failures: Counter;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.failures = new Counter({
      name: 'deskwire_bodies_unrendered_total',
      help: 'Bodies of messages whose markup was not rendered, by reason',
      labelNames: ['reason'],
      registers: [metrics],
    });
    for (const reason of REASONS) this.failures.inc({ reason }, 0);
  }

  /**
   * Never in a transaction: it may take seconds. A body whose account has too many waiting gets its text only; its
   * `shownAs` stays null, and it is rendered when it is first shown.
   */
  async render(accountId: string, body: string): Promise<RenderedBody> {
    if (isQuicklyRendered(body)) return renderBody(body);
    const rendered = await this.queue.run(accountId, () => this.thread.render(body));
    if (typeof rendered === 'object') return rendered;
    this.report(rendered ?? 'busy', body);
    return { ...renderWithoutMarkup(body), ...(rendered === undefined && { shownAs: null }) };
  }

  onApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }

  private report(reason: (typeof REASONS)[number], { length }: string): void {
    this.failures.inc({ reason });
    this.logger.warn({ reason, characters: length }, 'the markup of a message was not rendered');
  }
}
