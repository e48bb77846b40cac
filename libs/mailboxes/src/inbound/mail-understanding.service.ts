import { setTimeout } from 'node:timers/promises';
import { Clock, Database, later } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { AccountTurns } from './account-turns.js';
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
import { MailMetrics } from './mail-metrics.js';
import { verdictsOf } from './sender-verdicts.js';
import { mailIdOfMessage } from '../outbound/own-mail-ids.js';

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
/** Longer than a mail can take. A worker that dies with one leaves it to the others then. */
const LEASE_MS = 2 * MINUTE_MS;
/** Longer than a small mail takes. A mail that takes longer goes on beside the next ones. */
const PATIENCE_MS = 200;
/** Mails processed at once, each of another account. With hostile mails of two accounts, a third is not delayed. */
const MAX_AT_ONCE = 3;

/** Makes tickets and messages of the mails that were accepted. Each step can be repeated; only its last one changes the desk. */
@Injectable()
export class MailUnderstandingService {
  private readonly turns = new AccountTurns();
  /** Running work by account, so that the mails of one account are processed in order. */
  private readonly running = new Map<string, Promise<void>>();
  /** One that was tried before. It may take long again, so no other waits for it. */
  private again: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly arrived: ArrivedMailsService,
    private readonly brought: BroughtMailService,
    private readonly telemetry: MailMetrics,
  ) {}

  /** Processes one mail; returns whether there was one. A mail that takes long is left running, and `wake` is called when it ends. */
  async understandNext(wake: () => void): Promise<boolean> {
    if (this.running.size >= MAX_AT_ONCE) return false;
    const arrival = await this.claim();
    if (!arrival) return false;
    await settledWithin(this.start(arrival).then(wake), PATIENCE_MS);
    return true;
  }

  /** What is being read is given back: another worker reads it. */
  async stop(): Promise<void> {
    await this.arrived.stop();
    await Promise.all([...this.running.values(), this.again]);
  }

  /** Never rejects: a mail that cannot even be postponed is due again when its lease ends. */
  private start(arrival: ClaimedArrival): Promise<void> {
    const { accountId } = arrival;
    const startedAt = performance.now();
    const done = this.understandOrPostpone(arrival).catch((error: unknown) => this.telemetry.abandoned(arrival, error));
    const ended = done.finally(() => {
      this.turns.charge(accountId, performance.now() - startedAt);
      if (isFirst(arrival)) this.running.delete(accountId);
      else this.again = undefined;
    });
    if (isFirst(arrival)) this.running.set(accountId, ended);
    else this.again = ended;
    return ended;
  }

  /** Accounts take turns by the time that their mails take. */
  private async claim(): Promise<ClaimedArrival | undefined> {
    for (;;) {
      const others = [...this.running.keys(), ...this.turns.waiting];
      const values = [this.clock.now(), this.clock.in(LEASE_MS), others, this.again === undefined];
      const [claimed] = await this.database.system().rows<ClaimedArrival>(CLAIM_ARRIVAL, values);
      if (claimed || !this.turns.advance()) return claimed;
    }
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
    const { mailId, contentHash, ticketNumber, to, cc } = mail;
    const ancestors = returned === undefined ? mail.ancestors : [...mail.ancestors, mailIdOfMessage(returned, '')];
    const startedSince = later(this.clock.now(), -HOUR_MS);
    const { address: sender } = mail.from;
    const wanted = { sender, mailId, contentHash, ancestors, mailedTo: [...to, ...cc], ticketNumber, startedSince };
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

async function settledWithin(work: Promise<void>, ms: number): Promise<void> {
  const settled = new AbortController();
  const patience = setTimeout(ms, undefined, { signal: settled.signal }).catch(() => undefined);
  await Promise.race([work, patience]);
  settled.abort();
}

const isFirst = ({ tries }: ClaimedArrival): boolean => tries === 1;

const UNIQUE_VIOLATION = '23505';

/** The same mail was brought in meanwhile. */
function isKnownMail(error: unknown): boolean {
  if (error instanceof KnownInTicket) return true;
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'arrivals_once_idx';
}
