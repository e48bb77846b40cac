import { FairQueue } from '#libs/fair-queue';
import { LOGGER, Counter, type Logger, Metrics } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type RenderedBody, isQuicklyRendered, renderBody, renderWithoutMarkup } from './render-body.js';
import { type RenderingFailure, RenderingThread } from './rendering-thread.js';

/** A large mail takes 20 milliseconds, so what waits is done within seconds. An account that has most waiting yields. */
const MOST_WAITING = 400;

class NoRoom extends Error {}

const REASONS = ['timeout', 'crash', 'busy'] as const satisfies readonly (RenderingFailure | 'busy')[];

/** Turns bodies into text and into safe HTML. Small ones here, and large ones in a thread, so that nobody waits for them. */
@Injectable()
export class BodyRenderer implements OnApplicationShutdown {
  private readonly thread = new RenderingThread();
  private readonly queue = new FairQueue({ atOnce: 1, mostWaiting: MOST_WAITING, refusal: () => new NoRoom() });
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
   * Never in a transaction: it may take seconds. A body for which there is no room gets its text only; its
   * `shownAs` stays null, and it is rendered when it is first shown.
   */
  async render(accountId: string, body: string): Promise<RenderedBody> {
    if (isQuicklyRendered(body)) return renderBody(body);
    const rendered = await this.inTurn(accountId, body);
    if (typeof rendered === 'object') return rendered;
    this.report(rendered, body);
    return { ...renderWithoutMarkup(body), ...(rendered === 'busy' && { shownAs: null }) };
  }

  private async inTurn(accountId: string, body: string): Promise<RenderedBody | RenderingFailure | 'busy'> {
    try {
      return await this.queue.run(accountId, () => this.thread.render(body));
    } catch (error) {
      if (error instanceof NoRoom) return 'busy';
      throw error;
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }

  private report(reason: (typeof REASONS)[number], { length }: string): void {
    this.failures.inc({ reason });
    this.logger.warn({ reason, characters: length }, 'the markup of a message was not rendered');
  }
}
