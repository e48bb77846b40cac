import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { networksOf } from '#libs/access';
import { FairQueue } from '#libs/pacing';
import { InboundMailService, type AddressedMailbox, AddressedMailboxesService } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import type { SMTPServerEnvelope, SMTPServerSession } from 'smtp-server';
import { TransferProgress } from '../layers/edge/transfer-deadlines.js';
import { SmtpRefusal } from './smtp-refusal.js';

/** A transfer holds 10 MiB in memory. */
const MAX_TRANSFERS = 20;
const MAX_WAITING = 200;

type Recipient = AddressedMailbox & { readonly address: string };

/** SMTP sends one reply for an email, LMTP one for each recipient. */
export type MailProtocol = 'smtp' | 'lmtp';

@Injectable()
export class MailIntakeService {
  private readonly turns = new FairQueue({
    maxConcurrent: MAX_TRANSFERS,
    maxWaiting: MAX_WAITING,
    newRefusal: () => new SmtpRefusal(451, 'Too much mail is arriving, try again later'),
  });

  constructor(
    private readonly routes: AddressedMailboxesService,
    private readonly arrivals: InboundMailService,
  ) {}

  refuseWithoutRoom(): Promise<void> {
    return this.arrivals.refuseWithoutRoom();
  }

  /** Signed addresses are accepted even if the mailbox has used up its bytes for unknown senders. */
  async acceptRecipient(address: string, sender: string): Promise<void> {
    const { mailbox, isSigned } = await this.route(address);
    if (!isSigned) await this.arrivals.refuseUsedUp(mailbox, sender);
  }

  private async route(address: string): Promise<AddressedMailbox> {
    const route = await this.routes.find(address);
    if (!route) throw new SmtpRefusal(550, 'No such mailbox here');
    return route;
  }

  /** Reads the whole stream, because a client reads the reply only after that. */
  async accept(
    stream: Readable,
    { envelope, remoteAddress }: Pick<SMTPServerSession, 'envelope' | 'remoteAddress'>,
    { protocol, withinMs, stallMs }: { protocol: MailProtocol; withinMs: number; stallMs: number },
  ): Promise<readonly unknown[]> {
    // Without a listener, an error would end the process.
    stream.on('error', () => undefined);
    const late = setTimeout(() => stream.destroy(new SmtpRefusal(421, 'The message took too long')), withinMs);
    try {
      const keep = () => this.keep(arrivingBytes(stream, stallMs), envelope, protocol);
      return await this.turns.run(networksOf(remoteAddress).at(-1)!, keep);
    } finally {
      stream.resume();
      await finished(stream).finally(() => clearTimeout(late));
    }
  }

  /** Further mailboxes read the bytes from the storage. */
  private async keep(
    arriving: AsyncIterable<Uint8Array>,
    { mailFrom, rcptTo }: SMTPServerEnvelope,
    source: MailProtocol,
  ): Promise<readonly unknown[]> {
    const named: Recipient[] = [];
    for (const { address } of rcptTo) named.push({ ...(await this.route(address)), address });
    const envelopeFrom = mailFrom ? mailFrom.address : '';
    const refused = new Map<string, unknown>();
    let content = arriving;
    for (const { mailbox, address: envelopeTo, isSigned } of onceEach(named)) {
      try {
        const mail = { source, envelopeFrom, envelopeTo, content, isFromAnybody: !isSigned } as const;
        content = this.arrivals.contentOf(await this.arrivals.accept(mailbox, mail));
      } catch (error) {
        // SMTP has one reply. Bytes that were not stored cannot be read twice.
        if (source === 'smtp' || content === arriving) throw error;
        refused.set(mailbox.id, error);
      }
    }
    return named.map(({ mailbox }) => refused.get(mailbox.id) ?? null);
  }
}

/** A signed address identifies the ticket, so it is preferred. */
function onceEach(named: readonly Recipient[]): Iterable<Recipient> {
  const recipients = new Map<string, Recipient>();
  for (const recipient of named) {
    const { id } = recipient.mailbox;
    if (!recipients.has(id) || (recipient.isSigned && !recipients.get(id)!.isSigned)) recipients.set(id, recipient);
  }
  return recipients.values();
}

/** Ends a slow transfer, which would block others. The time to store bytes does not count. */
async function* arrivingBytes(stream: Readable, windowMs: number): AsyncGenerator<Uint8Array> {
  const progress = new TransferProgress(windowMs);
  const chunks: AsyncIterable<Uint8Array> = stream.iterator({ destroyOnReturn: false });
  let bytes = 0;
  let waitedMs = 0;
  let waitsSince: number | null = performance.now();
  const timer = setInterval(() => {
    if (waitsSince === null || !progress.isStalled(waitedMs + performance.now() - waitsSince, bytes)) return;
    stream.destroy(new SmtpRefusal(421, 'The message arrives too slowly'));
  }, windowMs / 4);
  try {
    for await (const chunk of chunks) {
      waitedMs += performance.now() - waitsSince;
      waitsSince = null;
      bytes += chunk.length;
      yield chunk;
      waitsSince = performance.now();
    }
  } finally {
    clearInterval(timer);
  }
}
