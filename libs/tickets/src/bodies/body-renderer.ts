import { createRequire } from 'node:module';
import { BoundedProgram, FairQueue, type ProgramFailure, startThread } from '#libs/pacing';
import { type Counter, LOGGER, type Logger, Metrics, metricMakers } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Markup, type RenderedBody, isQuicklyRendered, renderBody, renderWithoutMarkup } from './render-body.js';

/** Resolves to the compiled file, also in tests that run from the sources. */
const THREAD = createRequire(import.meta.url).resolve('#rendering-thread');

/**
 * Ten times the time of the slowest body and nearly three times the memory of the worst:
 * docs/decisions/message-bodies.md.
 */
const TIMEOUT_MS = 3000;
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 32 };

/** A large mail takes 20 milliseconds, so the queue empties within seconds. */
const MAX_WAITING = 400;

class NoRoom extends Error {}

const REASONS = ['timeout', 'crash', 'start', 'busy'] as const satisfies readonly (ProgramFailure | 'busy')[];

/** Large bodies are rendered in a thread, so they do not block the process. */
@Injectable()
export class BodyRenderer implements OnApplicationShutdown {
  private readonly thread = new BoundedProgram<Markup, RenderedBody>(() => startThread(THREAD, MEMORY), TIMEOUT_MS);
  private readonly queue = new FairQueue({ maxConcurrent: 1, maxWaiting: MAX_WAITING, newRefusal: () => new NoRoom() });
  private readonly failures: Counter;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    const help = 'Message bodies whose markup was not rendered, by reason';
    this.failures = metricMakers(metrics).counterOf('deskwire_bodies_unrendered_total', help, { reason: REASONS });
  }

  /**
   * Never call it in a transaction: it may take seconds. If the queue is full, `shownAs` stays null, and the body is
   * rendered when it is first shown. Markdown then stays text.
   */
  async render(accountId: string, { body, markdown = false }: Markup): Promise<RenderedBody> {
    const written = { body, markdown };
    if (isQuicklyRendered(written)) return renderBody(written);
    const rendered = await this.queue
      .run(accountId, () => this.thread.ask(written))
      .catch((error: unknown) => {
        if (error instanceof NoRoom) return { failure: 'busy' as const };
        throw error;
      });
    if ('answer' in rendered) return rendered.answer;
    const { failure } = rendered;
    this.failures.inc({ reason: failure });
    this.logger.warn({ reason: failure, characters: body.length }, 'the markup of a message was not rendered');
    const isPostponed = !markdown && (failure === 'busy' || failure === 'start');
    return { ...renderWithoutMarkup(written), ...(isPostponed && { shownAs: null }) };
  }

  onApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }
}
