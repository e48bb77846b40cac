import { Clock, Database, later } from '#libs/database';
import { Injectable } from '@nestjs/common';
import {
  AlreadyUnderstood,
  type ArrivalEnd,
  CLAIM_ARRIVAL,
  type ClaimedArrival,
  KnownInTicket,
  endArrival,
  postponeArrival,
} from './arrival.statements.js';
import { type ArrivalPlace, findPlace } from './arrival-place.js';
import { ArrivedMailsService } from './arrived-mails.service.js';
import type { IdentifiedMail } from './read-mail.js';
import { BroughtMailService } from './brought-mail.service.js';
import { holdReason } from './hold-policy.js';
import { nextTry } from './mail-retry.js';
import { MailTelemetry } from './mail-telemetry.js';
import { verdictsOf } from './sender-verdicts.js';
import { mailIdOfMessage } from './own-mail-ids.js';

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
/** Longer than a mail can take. A worker that dies with one leaves it to the others then. */
const LEASE_MS = 2 * MINUTE_MS;
/** Until another one is asked for that was tried before. */
const LEFT_MS = 1000;
/** Who has so many accounts begins a new round. */
const MOST_SERVED = 1000;

/** Makes tickets and messages of the mails that were accepted. Each step can be repeated; only its last one changes the desk. */
@Injectable()
export class MailUnderstandingService {
  private readonly served = new Set<string>();
  /** One that was tried before. It may take long again, so no other waits for it. */
  private again: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly arrived: ArrivedMailsService,
    private readonly brought: BroughtMailService,
    private readonly telemetry: MailTelemetry,
  ) {}

  /** One mail. Says whether there was one. */
  async understandNext(): Promise<boolean> {
    const arrival = await this.claim();
    if (!arrival) return false;
    if (arrival.tries === 1) await this.understandOrPostpone(arrival);
    else if (this.again) await this.leave(arrival);
    else this.again = this.understandAgain(arrival);
    return true;
  }

  /** What is being read is given back: another worker reads it. */
  async stop(): Promise<void> {
    await this.arrived.stop();
    await this.again;
  }

  /** If it cannot even be postponed, it is due again when its lease ends. */
  private async understandAgain(arrival: ClaimedArrival): Promise<void> {
    await this.understandOrPostpone(arrival).catch(() => undefined);
    this.again = undefined;
  }

  /** It waits for the one that is being tried again. */
  private async leave({ accountId, id, tries }: ClaimedArrival): Promise<void> {
    const until = later(this.clock.now(), LEFT_MS);
    await postponeArrival(this.database.account(accountId), id, until, tries - 1);
  }

  /** Accounts take turns: who had one waits until the others that have mail have had theirs. */
  private async claim(): Promise<ClaimedArrival | undefined> {
    const values = [this.clock.now(), this.clock.in(LEASE_MS), [...this.served]];
    const [claimed] = await this.database.system().rows<ClaimedArrival>(CLAIM_ARRIVAL, values);
    if (!claimed && this.served.size === 0) return undefined;
    if (!claimed || this.served.size >= MOST_SERVED) this.served.clear();
    if (!claimed) return this.claim();
    this.served.add(claimed.accountId);
    return claimed;
  }

  private async understandOrPostpone(arrival: ClaimedArrival): Promise<void> {
    try {
      this.telemetry.understood(await this.understand(arrival));
    } catch (error) {
      // Another worker was faster, and there is nothing left to do.
      if (!(error instanceof AlreadyUnderstood)) await this.postpone(arrival, error);
    }
  }

  private async postpone(arrival: ClaimedArrival, error: unknown): Promise<void> {
    const now = this.clock.now();
    const { pauseMs, isTry } = nextTry(arrival, error, now);
    const tries = isTry ? arrival.tries : arrival.tries - 1;
    this.telemetry.postponed(arrival, tries, error);
    await postponeArrival(this.database.account(arrival.accountId), arrival.id, later(now, pauseMs), tries);
  }

  private async understand(arrival: ClaimedArrival): Promise<ArrivalEnd['state']> {
    const { mail, fault } = await this.arrived.read(arrival);
    const returned = await this.arrived.own.returnedTo(arrival, mail);
    const place = await this.placeOf(arrival, mail, returned?.message?.id);
    const verdicts = verdictsOf(mail.authentication, place.mailbox.authservId);
    if (place.isRepeated) return this.end(arrival, mail, { state: 'repeated', verdicts });
    const own = await this.arrived.own.look(arrival, mail, { returned, place, verdicts });
    const reason = typeof own === 'string' ? own : own || arrival.released ? null : holdReason(place, arrival);
    if (reason !== null)
      return this.end(arrival, mail, { state: 'held', reason, verdicts, ...(await this.brought.show(arrival, mail)) });
    const outcome =
      fault === null
        ? ({ state: 'understood', verdicts } as const)
        : ({ state: 'unreadable', reason: fault, verdicts } as const);
    try {
      if (typeof own === 'function') await own();
      else await this.brought.bring({ arrival, mail, place, outcome });
      return outcome.state;
    } catch (error) {
      if (isKnownMail(error)) return this.end(arrival, mail, { state: 'repeated', verdicts });
      throw error;
    }
  }

  /** A mail to where servers report belongs to the message that was sent from there, if it names no other. */
  private placeOf(arrival: ClaimedArrival, mail: IdentifiedMail, returned?: string): Promise<ArrivalPlace> {
    const { mailId, contentHash, ticketNumber } = mail;
    const ancestors = returned === undefined ? mail.ancestors : [...mail.ancestors, mailIdOfMessage(returned, '')];
    const startedSince = later(this.clock.now(), -HOUR_MS);
    const wanted = { sender: mail.from.address, mailId, contentHash, ancestors, ticketNumber, startedSince };
    return findPlace(this.database.account(arrival.accountId), arrival, wanted);
  }

  private async end(
    arrival: ClaimedArrival,
    { mailId, contentHash, from }: IdentifiedMail,
    outcome: Pick<ArrivalEnd, 'state' | 'reason' | 'subject' | 'preview' | 'verdicts'>,
  ): Promise<ArrivalEnd['state']> {
    const isStoredTwice = outcome.state === 'repeated';
    const end = { ...outcome, mailId, contentHash, sender: from.address, isStoredTwice };
    await endArrival(this.database.account(arrival.accountId), arrival.id, end, this.clock.now());
    if (isStoredTwice) await this.arrived.discard(arrival);
    return outcome.state;
  }
}

const UNIQUE_VIOLATION = '23505';

/** The same mail was brought in meanwhile. */
function isKnownMail(error: unknown): boolean {
  if (error instanceof KnownInTicket) return true;
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'arrivals_once_idx';
}
