import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { networksOf } from '#libs/access';
import { FairQueue } from '#libs/pacing';
import { ArrivalsService, type MailRoute, MailRoutesService } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import type { SMTPServerEnvelope, SMTPServerSession } from 'smtp-server';
import { arrivingBytes } from './mail-transfer.js';
import { SmtpRefusal } from './smtp-refusal.js';

/** A bucket holds two parts of 5 MiB of each in memory. The others wait, and networks take turns. */
const MAX_TRANSFERS = 20;
/** As many as may be connected. */
const MAX_WAITING = 200;

type Recipient = MailRoute & { readonly address: string };

interface TransferLimits {
  readonly protocol: MailProtocol;
  /** For all of a mail. */
  readonly withinMs: number;
  /** In such a time there must be some progress. */
  readonly stallMs: number;
}

/** Each way with its answers: SMTP has one for a mail, LMTP one for each recipient. */
export type MailProtocol = 'smtp' | 'lmtp';

/** Why it was not taken for a recipient, or null. In the order of the recipients. */
export type RecipientAnswers = readonly unknown[];

/** Takes in what is sent to the mail ports. */
@Injectable()
export class MailIntakeService {
  private readonly turns = new FairQueue({
    atOnce: MAX_TRANSFERS,
    mostWaiting: MAX_WAITING,
    refusal: () => new SmtpRefusal(451, 'Too many mails arrive just now, send it again later'),
  });

  constructor(
    private readonly routes: MailRoutesService,
    private readonly arrivals: ArrivalsService,
  ) {}

  /** Refuses a mail before its transfer if there is no room to store it. */
  refuseWithoutRoom(): Promise<void> {
    return this.arrivals.refuseWithoutRoom();
  }

  /** Refuses unknown addresses and, unless the address is one that we signed, senders whose mailbox has used up its bytes. */
  async nameRecipient(address: string, sender: string): Promise<void> {
    const { mailbox, isSigned } = await this.route(address);
    if (!isSigned) await this.arrivals.refuseUsedUp(mailbox, sender);
  }

  private async route(address: string): Promise<MailRoute> {
    const route = await this.routes.find(address);
    if (!route) throw new SmtpRefusal(550, 'No such mailbox here');
    return route;
  }

  /** A client reads the answer after it has sent everything. One that does not come to an end within the time is left. */
  async accept(
    stream: Readable,
    { envelope, remoteAddress }: Pick<SMTPServerSession, 'envelope' | 'remoteAddress'>,
    { protocol, withinMs, stallMs }: TransferLimits,
  ): Promise<RecipientAnswers> {
    // Who reads hears of it as well. Before and after, nobody does.
    stream.on('error', () => undefined);
    const late = setTimeout(() => stream.destroy(new SmtpRefusal(421, 'The mail took too long')), withinMs);
    try {
      const keep = () => this.keep(arrivingBytes(stream, stallMs), envelope, protocol);
      return await this.turns.run(networksOf(remoteAddress).at(-1)!, keep);
    } finally {
      stream.resume();
      await finished(stream).finally(() => clearTimeout(late));
    }
  }

  /** The bytes for the second mailbox are those that were kept for the first. */
  private async keep(
    arriving: AsyncIterable<Uint8Array>,
    { mailFrom, rcptTo }: SMTPServerEnvelope,
    source: MailProtocol,
  ): Promise<RecipientAnswers> {
    const named = await this.routesOf(rcptTo.map(({ address }) => address));
    const envelopeFrom = mailFrom ? mailFrom.address : '';
    const refused = new Map<string, unknown>();
    let content = arriving;
    for (const { mailbox, address: envelopeTo, isSigned } of onceEach(named)) {
      try {
        const mail = { source, envelopeFrom, envelopeTo, content, isFromAnybody: !isSigned } as const;
        content = this.arrivals.contentOf(await this.arrivals.accept(mailbox, mail));
      } catch (error) {
        // Who has one answer hears of it, and sends the mail again. What was not kept cannot be read a second time.
        if (source === 'smtp' || content === arriving) throw error;
        refused.set(mailbox.id, error);
      }
    }
    return named.map(({ mailbox }) => refused.get(mailbox.id) ?? null);
  }

  private async routesOf(addresses: readonly string[]): Promise<Recipient[]> {
    const routes: Recipient[] = [];
    for (const address of addresses) routes.push({ ...(await this.route(address)), address });
    return routes;
  }
}

/** Each mailbox once, however many of its addresses are named, and by the one that says which ticket is answered. */
function onceEach(named: readonly Recipient[]): Iterable<Recipient> {
  const recipients = new Map<string, Recipient>();
  for (const recipient of named) {
    const { id } = recipient.mailbox;
    if (!recipients.has(id) || (recipient.isSigned && !recipients.get(id)!.isSigned)) recipients.set(id, recipient);
  }
  return recipients.values();
}
