import { Transactions } from '#libs/database';
import { returnTokenIn } from '#libs/entities';
import { EventsService, NO_ACTOR } from '#libs/events';
import { bounceMail } from '#libs/mail';
import { Injectable } from '@nestjs/common';
import { recordOutcome } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';
import { FIND_BOUNCED_MAIL } from './mail-context.statements.js';
import type { MailFile } from './mail-parts.js';
import type { IdentifiedMail } from './parse-mail.js';

interface ReturnPathMatch {
  readonly token: string;
  /** Null for a mailbox check. */
  readonly message: BouncedMessage | null;
}

interface BouncedMessage {
  readonly id: string;
  readonly ticketId: string;
  readonly number: number;
  readonly recipient: string;
}

export interface Bounce extends ReturnPathMatch {
  /** Null for a report of a delay or a success. */
  readonly failure: string | null;
}

/** Matches delivery reports by their Return-Path. */
@Injectable()
export class BouncesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
  ) {}

  /** Null for any other address. One round trip for our Return-Path. */
  async match(inbound: InboundMail, mail: IdentifiedMail): Promise<ReturnPathMatch | null> {
    const token = [inbound.envelopeTo ?? '', ...mail.recipients].map(returnTokenIn).find((found) => found !== null);
    if (!token) return null;
    const account = this.transactions.account(inbound);
    const found = await account.row<BouncedMessage | { readonly id: null }>(FIND_BOUNCED_MAIL, [token]);
    return found ? { token, message: found.id === null ? null : found } : null;
  }

  async deliver(inbound: InboundMail, mail: IdentifiedMail, { token, message, failure }: Bounce): Promise<void> {
    await this.transactions.run(inbound, async (tx, now) => {
      const outcome = { state: 'processed', reason: 'delivery_report' } as const;
      await recordOutcome(tx, inbound, mail, { ...outcome, ...(message && { ticketId: message.ticketId }) }, now);
      const isNew = failure !== null && (await bounceMail(tx, { token, reason: failure }, now));
      if (!isNew || message === null) return;
      const { id, ticketId, number, recipient } = message;
      const activity = { ticketId, subject: `#${number}`, detail: { message: id, recipient } };
      await this.events.recordActivity(tx, NO_ACTOR, 'mail_bounced', activity);
    });
  }
}

/** A delivery report is a few lines. */
const MAX_REPORT_BYTES = 64 * 1024;
const MAX_REASON_CHARACTERS = 300;

/** RFC 3464. Null if there is no report. */
export function deliveryReportIn(files: readonly Pick<MailFile, 'type' | 'content'>[]): Pick<Bounce, 'failure'> | null {
  const part = files.find(({ type }) => type.toLowerCase() === 'message/delivery-status');
  if (!part) return null;
  const blocks = blocksOf(new TextDecoder().decode(part.content.subarray(0, MAX_REPORT_BYTES)));
  const failed = blocks.find((fields) => fields.get('action')?.toLowerCase() === 'failed');
  return { failure: failed ? reasonOf(failed) : null };
}

type Fields = ReadonlyMap<string, string>;

/** One block for the mail and one for each recipient. A leading blank continues a line. */
function blocksOf(text: string): Fields[] {
  const blocks: Map<string, string>[] = [new Map()];
  let last = '';
  for (const line of text.replaceAll('\r', '').split('\n')) {
    const fields = blocks.at(-1)!;
    const colon = line.indexOf(':');
    if (line.trim() === '') blocks.push(new Map());
    else if (/^[ \t]/.test(line)) fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`);
    else if (colon > 0) fields.set((last = line.slice(0, colon).trim().toLowerCase()), line.slice(colon + 1).trim());
  }
  return blocks;
}

/** The remote server’s answer (`smtp; 550 5.1.1 No such user`), or else the status code. */
function reasonOf(fields: Fields): string {
  const diagnostic = (fields.get('diagnostic-code') ?? '').replace(/^[^;]{0,40};/, '');
  // oxlint-disable-next-line no-control-regex
  const words = (diagnostic || (fields.get('status') ?? '')).replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ').trim();
  return words.slice(0, MAX_REASON_CHARACTERS) || 'The mail could not be delivered.';
}
