import { Transform, pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { callbackify } from 'node:util';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { type SendMailOptions, type Transporter, createTransport } from 'nodemailer';
import type { Mail } from './mail.js';
import { contentOf } from './mail-content.js';
import { OwnServers } from './own-server.js';
import { SENDING_LIMITS, SendingDeadline, type SendingLimits } from './sending-deadline.js';
import { ClaimLost, type SendOutcome, outcomeOf } from './send-outcome.js';

const CONNECT_MS = 10_000;
/** Some servers look at a mail for minutes before they take it; RFC 5321 allows ten. SMTP_URL can say `?socketTimeout=…`. */
const SILENCE_MS = 5 * 60_000;
/** From the word of the server that it ends the connection, until that is closed on both sides. */
const ROUNDS_TO_CLOSE = 3;
const LIMITS = {
  connectionTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  socketTimeout: SILENCE_MS,
  // Nothing in a mail is read from the disk or fetched because a name or an address in it asks for that.
  disableFileAccess: true,
  disableUrlAccess: true,
};

export interface Sending {
  /** Asked when all but the end of the mail was sent. Only after a yes the server is told that it is complete. */
  readonly mayHandOver: () => Promise<boolean>;
  /** Ends a sending that was not handed over. */
  readonly signal: AbortSignal;
}

/** Speaks SMTP to the mail server of the installation, or to that of a mailbox. Files go through piece by piece. */
@Injectable()
export class SmtpSender {
  private readonly transport: Transporter | undefined;
  private readonly ownServers: OwnServers;

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject('SENDING_LIMITS') private readonly limits: SendingLimits = SENDING_LIMITS,
  ) {
    const { SMTP_URL: url } = settings;
    this.ownServers = new OwnServers(settings);
    if (url !== undefined) this.transport = transportTo({ url });
  }

  /** Never throws. Not called in a transaction. */
  async send(mail: Mail, { mayHandOver, signal }: Sending): Promise<SendOutcome> {
    const transport = mail.server ? transportTo(this.ownServers.optionsFor(mail.server)) : this.transport;
    if (!transport) return this.keepBack(mail);
    const connection = new AbortController();
    const cut = (): void => connection.abort();
    const deadline = new SendingDeadline(this.limits, (reason) => connection.abort(reason));
    let handedOver = false;
    const work = async (): Promise<void> => {
      if (!(await mayHandOver())) throw new ClaimLost();
      await mustBeOpen(beforeEnd);
      signal.removeEventListener('abort', cut);
      handedOver = !connection.signal.aborted;
      if (handedOver) deadline.awaitAnswer();
    };
    const beforeEnd = atTheEnd(work, (bytes) => deadline.extendFor(bytes));
    signal.addEventListener('abort', cut);
    if (signal.aborted) cut();
    try {
      const prepared: PreparedMail = {
        ...contentOf(mail, this.settings.MAIL_FROM),
        beforeEnd,
        signal: connection.signal,
      };
      await transport.sendMail(prepared);
      return { result: 'sent' };
    } catch (error) {
      return outcomeOf(error, handedOver);
    } finally {
      deadline.clear();
      signal.removeEventListener('abort', cut);
    }
  }

  /** On a developer’s machine the text itself, links included, is in the log; anywhere else that would leak them. */
  private keepBack({ to, subject, text }: Mail): SendOutcome {
    const reason = 'There is no mail server: SMTP_URL is not set.';
    if (this.settings.NODE_ENV === 'development') this.logger.info({ mail: { to, subject, text } }, reason);
    return { result: 'refused', reason };
  }
}

/** The end of a connection may have come meanwhile, and is heard of in the next rounds of the event loop. It takes the mail with it. */
async function mustBeOpen(content: Transform): Promise<void> {
  for (let round = 0; round < ROUNDS_TO_CLOSE; round++) await setImmediate();
  if (content.destroyed) throw new Error('The connection ended before the end of the mail.');
}

function transportTo(options: object): Transporter {
  const transport = createTransport({ ...options, ...LIMITS });
  transport.use('stream', (mail, done) => {
    const { beforeEnd } = mail.data as PreparedMail;
    // The last stage, which the connection reads. Any stage before it reads ahead, and would hold the end of a small mail
    // before the server has been asked for anything.
    mail.message.processFunc((content) => pipeline(content, beforeEnd, () => undefined));
    done();
  });
  return transport;
}

interface PreparedMail extends SendMailOptions {
  readonly beforeEnd: Transform;
}

/**
 * Lets everything through, and holds back the end until `work` is done. If `work` fails, there is no end. It takes the next
 * piece only when the one before was read, so `work` begins when the connection has all the rest.
 */
function atTheEnd(work: () => Promise<void>, onSent: (bytes: number) => void): Transform {
  return new Transform({
    readableHighWaterMark: 1,
    writableHighWaterMark: 1,
    transform: (chunk: Buffer, _, done) => {
      onSent(chunk.length);
      done(null, chunk);
    },
    flush: callbackify(work),
  });
}
