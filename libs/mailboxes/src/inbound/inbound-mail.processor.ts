import { waitAtMost } from '#libs/pacing';
import { type Counter, Metrics, metricMakers } from '#libs/telemetry';
import { Injectable } from '@nestjs/common';
import { AlreadyProcessed, DuplicateInTicket, type MailOutcome } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';
import { InboundMailClaimsService } from './inbound-mail-claims.service.js';
import { MailDeliveryService } from './mail-delivery.service.js';
import { MailClassifier } from './mail.classifier.js';
import { MailParser } from './mail.parser.js';

/** Longer than a small mail takes. A slower one continues beside the next ones. */
const PATIENCE_MS = 200;
/** Each of another account. Hostile emails of two accounts do not delay a third. */
const MAX_AT_ONCE = 3;

/** Claims, parses, classifies, delivers. Only delivery changes records, in one transaction. */
@Injectable()
export class InboundMailProcessor {
  /** Keyed by account, so that its emails stay in order. */
  private readonly running = new Map<string, Promise<void>>();
  /** A retried mail may be slow again, so no other waits for it. */
  private retry: Promise<void> | undefined;
  private readonly processed: Counter<'state'>;

  constructor(
    private readonly claims: InboundMailClaimsService,
    private readonly parser: MailParser,
    private readonly classifier: MailClassifier,
    private readonly delivery: MailDeliveryService,
    metrics: Metrics,
  ) {
    const help = 'Inbound emails processed, by result';
    this.processed = metricMakers(metrics).counter('deskwire_mails_processed_total', help, ['state']);
  }

  /** Returns whether there was an email. A slow one is left running, and `wake` is called when it ends. */
  async processNext(wake: () => void): Promise<boolean> {
    if (this.running.size >= MAX_AT_ONCE) return false;
    const inbound = await this.claims.claim(this.running.keys(), { mayRetry: this.retry === undefined });
    if (!inbound) return false;
    await waitAtMost(PATIENCE_MS, this.start(inbound).then(wake));
    return true;
  }

  /** Gives back the emails that are being parsed. */
  async stop(): Promise<void> {
    await this.parser.stop();
    await Promise.all([...this.running.values(), this.retry]);
  }

  /** Never rejects. */
  private start(inbound: InboundMail): Promise<void> {
    const { accountId, tries } = inbound;
    const startedAt = performance.now();
    const isFirst = tries === 1;
    const ended = this.processOrPostpone(inbound).finally(() => {
      this.claims.charge(inbound, performance.now() - startedAt);
      if (isFirst) this.running.delete(accountId);
      else this.retry = undefined;
    });
    if (isFirst) this.running.set(accountId, ended);
    else this.retry = ended;
    return ended;
  }

  private async processOrPostpone(inbound: InboundMail): Promise<void> {
    try {
      this.processed.inc({ state: await this.process(inbound) });
    } catch (error) {
      if (!(error instanceof AlreadyProcessed)) await this.claims.postpone(inbound, error);
    }
  }

  private async process(inbound: InboundMail): Promise<MailOutcome['state']> {
    const parsed = await this.parser.parse(inbound);
    const classified = await this.classifier.classify(inbound, parsed.mail);
    try {
      return await this.delivery.deliver(inbound, parsed, classified);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return this.delivery.deliver(inbound, parsed, { kind: 'duplicate', verdicts: classified.verdicts });
    }
  }
}

const UNIQUE_VIOLATION = '23505';

function isDuplicate(error: unknown): boolean {
  if (error instanceof DuplicateInTicket) return true;
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'arrivals_once_idx';
}
