import { Clock, Database, isTransientError, later } from '#libs/database';
import { DomainError } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import {
  AlreadyUnderstood,
  type ArrivalEnd,
  CLAIM_ARRIVALS,
  type ClaimedArrival,
  endArrival,
  postponeArrival,
} from './arrival.statements.js';
import { type ArrivalPlace, findPlace } from './arrival-place.js';
import { ArrivedMailsService, type IdentifiedMail } from './arrived-mails.service.js';
import { BroughtMailService } from './brought-mail.service.js';
import { holdReason } from './hold-policy.js';
import { MailTelemetry } from './mail-telemetry.js';

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
/** Longer than a mail can take. A worker that dies with one leaves it to the others then. */
const LEASE_MS = 2 * MINUTE_MS;
const BATCH = 4;

/** Makes tickets and messages of the mails that were accepted. Each step can be repeated; only its last one changes the desk. */
@Injectable()
export class MailUnderstandingService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly arrived: ArrivedMailsService,
    private readonly brought: BroughtMailService,
    private readonly telemetry: MailTelemetry,
  ) {}

  /** A few, of any account. Says how many. */
  async understandDue(): Promise<number> {
    const values = [this.clock.now(), this.clock.in(LEASE_MS), BATCH];
    const claimed = await this.database.system().rows<ClaimedArrival>(CLAIM_ARRIVALS, values);
    for (const arrival of claimed) await this.understandOrPostpone(arrival);
    return claimed.length;
  }

  private async understandOrPostpone(arrival: ClaimedArrival): Promise<void> {
    try {
      this.telemetry.understood(await this.understand(arrival));
    } catch (error) {
      // What passes by itself is nobody's fault, and counts as no try.
      const passes = isTransientError(error) || (error instanceof DomainError && error.kind === 'unavailable');
      const tries = passes ? arrival.tries - 1 : arrival.tries;
      this.telemetry.postponed(arrival, tries, error);
      const until = later(this.clock.now(), Math.min(HOUR_MS, 2 ** Math.max(tries, 1) * 1000));
      await postponeArrival(this.database.account(arrival.accountId), arrival.id, until, tries);
    }
  }

  private async understand(arrival: ClaimedArrival): Promise<ArrivalEnd['state']> {
    const { mail, fault } = await this.arrived.read(arrival);
    const place = await this.placeOf(arrival, mail);
    if (place.isRepeated) return this.end(arrival, mail, { state: 'repeated' });
    const reason = holdReason(place);
    if (reason !== null) return this.end(arrival, mail, { state: 'held', reason });
    const outcome =
      fault === null ? ({ state: 'understood' } as const) : ({ state: 'unreadable', reason: fault } as const);
    try {
      await this.brought.bring({ arrival, mail, place, outcome });
      return outcome.state;
    } catch (error) {
      if (error instanceof AlreadyUnderstood) return 'repeated';
      if (isKnownMail(error)) return this.end(arrival, mail, { state: 'repeated' });
      throw error;
    }
  }

  private placeOf(arrival: ClaimedArrival, mail: IdentifiedMail): Promise<ArrivalPlace> {
    const { mailId, contentHash, ancestors, ticketNumber } = mail;
    const startedSince = later(this.clock.now(), -HOUR_MS);
    const wanted = { sender: mail.from.address, mailId, contentHash, ancestors, ticketNumber, startedSince };
    return findPlace(this.database.account(arrival.accountId), arrival, wanted);
  }

  private async end(
    { accountId, id }: ClaimedArrival,
    { mailId, contentHash, from }: IdentifiedMail,
    outcome: Pick<ArrivalEnd, 'state' | 'reason'>,
  ): Promise<ArrivalEnd['state']> {
    const end = { ...outcome, mailId, contentHash, sender: from.address };
    await endArrival(this.database.account(accountId), id, end, this.clock.now());
    return outcome.state;
  }
}

const UNIQUE_VIOLATION = '23505';

/** Two workers had the same mail at the same time, and the other one was faster. */
function isKnownMail(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'arrivals_once_idx';
}
