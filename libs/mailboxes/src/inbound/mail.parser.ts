import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { Unavailable } from '#libs/entities';
import { NOBODY, isMailAddress, shownAddresses } from '#libs/mail';
import { BoundedProgram, type ProgramFailure } from '#libs/pacing';
import { FilesService, ReplyAddressesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { mailIdOfContent } from '../mail-ids.js';
import type { InboundMail } from './arrival.statements.js';
import { startChildProgram } from './child-program.js';
import { withoutTokensIn } from './mail-parts.js';
import type { MailAnswer, MailToParse } from './mail-parsing.process.js';
import { Interrupted } from './inbound-mail-claims.service.js';
import type { IdentifiedMail, ParsedMail } from './parse-mail.js';

/** The compiled file, also when the tests run from the sources. */
const PROGRAM = createRequire(import.meta.url).resolve('#mail-parsing-process');

/** Texts are cut before parsing, and files are outside the heap. */
const HEAP_MB = 256;
/**
 * The first attempt may delay other accounts. The second does not, and has time for the largest mail on a busy machine.
 */
const FIRST_TIMEOUT_MS = 3_000;
const RETRY_TIMEOUT_MS = 30_000;

/** An email that fails or crashes a worker this often is not parsed again. */
const MAX_TRIES = 5;

type ParseProcess = BoundedProgram<MailToParse, MailAnswer>;

type MailFault = 'malformed' | 'lost' | Exclude<ProgramFailure, 'start'>;

export interface ParseResult {
  readonly mail: IdentifiedMail;
  /** With a fault, `mail` is a placeholder. */
  readonly fault: MailFault | null;
}

/** One process for each first attempt, and one for all retries. */
@Injectable()
export class MailParser {
  private stopped = false;
  private readonly first: ParseProcess[] = [];
  private readonly retry = newProcess(RETRY_TIMEOUT_MS);

  constructor(
    private readonly files: FilesService,
    private readonly addresses: ReplyAddressesService,
  ) {}

  /** Interrupted emails do not count as failed. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([...this.first, this.retry].map((one) => one.stop()));
  }

  /** Throws transient errors. */
  async parse(inbound: InboundMail): Promise<ParseResult> {
    const file = await this.files.open({ accountId: inbound.accountId, id: inbound.id });
    const raw = file && (await buffer(file));
    const parsed = raw === null ? 'lost' : await this.parseBytes(raw, inbound);
    if (typeof parsed !== 'string') return { mail: this.identify(parsed, inbound), fault: null };
    return { mail: this.identify(placeholderFor(parsed, inbound, raw), inbound), fault: parsed };
  }

  private async parseBytes(raw: Buffer, { tries, envelopeFrom }: InboundMail): Promise<ParsedMail | MailFault> {
    if (this.stopped) throw new Interrupted('the worker stops');
    if (tries > MAX_TRIES) return 'crash';
    const child = tries === 1 ? this.idleProcess() : this.retry;
    const result = await child.ask({ raw, envelopeFrom });
    if ('answer' in result) return 'mail' in result.answer ? result.answer.mail : 'malformed';
    if (this.stopped) throw new Interrupted('the worker stops');
    if (result.failure === 'start')
      throw new Unavailable('overloaded', 'No process could be started to parse an email.');
    // A busy machine is late with any email, or kills for memory.
    if (tries === 1) throw new Error('parsing an email took too long or too much memory; it is retried once');
    return result.failure;
  }

  private idleProcess(): ParseProcess {
    const idle = this.first.find(({ isBusy }) => !isBusy) ?? newProcess(FIRST_TIMEOUT_MS);
    if (!this.first.includes(idle)) this.first.push(idle);
    return idle;
  }

  private identify(mail: ParsedMail, { accountId, envelopeFrom, envelopeTo }: InboundMail): IdentifiedMail {
    const envelope = { address: envelopeFrom?.toLowerCase() ?? '', name: '' };
    const sender = [mail.from, envelope].find((one) => one && isMailAddress(one.address));
    const recipients = envelopeTo === null ? mail.recipients : [envelopeTo, ...mail.recipients];
    return {
      ...mail,
      to: shownAddresses(mail.to),
      cc: shownAddresses(mail.cc),
      from: sender ?? { address: NOBODY, name: '' },
      ticketNumber: this.addresses.ticketOf(recipients, accountId),
      mailId: mail.mailId ?? mailIdOfContent(mail.contentHash),
    };
  }
}

const newProcess = (timeoutMs: number): ParseProcess =>
  new BoundedProgram(() => startChildProgram(PROGRAM, HEAP_MB), timeoutMs);

const SENTENCES: Readonly<Record<MailFault, string>> = {
  malformed: 'It has too many parts, or they are too large or nested too deeply.',
  timeout: 'Reading it took too long.',
  crash: 'Reading it took more memory than the limit for one email.',
  lost: 'Its file is missing from the storage.',
};

function placeholderFor(fault: MailFault, { hash }: InboundMail, raw: Uint8Array | null): ParsedMail {
  return {
    from: null,
    hasOneAuthor: false,
    to: [],
    cc: [],
    unanswered: [],
    addressed: [],
    recipients: [],
    subject: 'Unreadable email',
    mailId: mailIdOfContent(hash),
    ancestors: [],
    automatic: false,
    authentication: [],
    contentHash: hash,
    text: `This email could not be read. ${SENTENCES[fault]}${raw ? ' It is attached.' : ''}`,
    html: '',
    files: raw ? [withoutTokensIn({ name: 'mail.eml', type: 'message/rfc822', content: raw })] : [],
    longTexts: [],
  };
}
