import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { Transform, pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { callbackify } from 'node:util';
import { AddressGuard, DnsResolver, GuardedNames, pinnedAddressOptions } from '#libs/address-guard';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { type SendMailOptions, type Transporter, createTransport } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import { type Mail, type MailServer, contentOf } from './mail.js';
import { ClaimLost, type SendOutcome, outcomeOf } from './send-outcome.js';
import { SENDING_LIMITS, SendingDeadline, type SendingLimits } from './sending-deadline.js';

const CONNECT_MS = 10_000;
/** Some servers check an email for minutes; RFC 5321 allows ten. SMTP_URL can set `?socketTimeout=…`. */
const SILENCE_MS = 5 * 60_000;
/** A closed connection is noticed after this many rounds of the event loop. */
const ROUNDS_TO_CLOSE = 3;
const LIMITS = {
  connectionTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  socketTimeout: SILENCE_MS,
  // Otherwise a name or an address could make nodemailer read files or fetch URLs.
  disableFileAccess: true,
  disableUrlAccess: true,
};

export interface Sending {
  /** Called before the end of the mail, which is sent only if it returns true. */
  readonly mayHandOver: () => Promise<boolean>;
  /** Ends an attempt before the handover. */
  readonly signal: AbortSignal;
}

@Injectable()
export class SmtpSender {
  private readonly transport: Transporter | undefined;
  private readonly names: GuardedNames;

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject('SENDING_LIMITS') private readonly limits: SendingLimits = SENDING_LIMITS,
  ) {
    const { SMTP_URL: url, MAIL_ALLOWED_NETWORKS, NODE_ENV } = settings;
    const privateLog = NODE_ENV === 'production' ? logger : undefined;
    this.names = new GuardedNames(new AddressGuard(MAIL_ALLOWED_NETWORKS), new DnsResolver(), privateLog);
    if (url !== undefined) this.transport = transportTo({ url });
  }

  /** Never throws. Not called in a transaction. */
  async send(mail: Mail, { mayHandOver, signal }: Sending): Promise<SendOutcome> {
    const transport = mail.server ? transportTo(optionsFor(mail.server, this.names)) : this.transport;
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

  /** The text may contain secret links, so only development logs it. */
  private keepBack({ to, subject, text }: Mail): SendOutcome {
    const reason = 'There is no mail server: SMTP_URL is not set.';
    if (this.settings.NODE_ENV === 'development') this.logger.info({ mail: { to, subject, text } }, reason);
    return { result: 'refused', reason };
  }
}

/** Throws if the connection ended, which the next rounds of the event loop report. */
async function mustBeOpen(content: Transform): Promise<void> {
  for (let round = 0; round < ROUNDS_TO_CLOSE; round++) await setImmediate();
  if (content.destroyed) throw new Error('The connection closed before the whole email was sent.');
}

function transportTo(options: object): Transporter {
  const transport = createTransport({ ...options, ...LIMITS });
  transport.use('stream', (mail, done) => {
    const { beforeEnd } = mail.data as PreparedMail;
    // Must be the last stage: an earlier one reads ahead, to the end of a small mail.
    mail.message.processFunc((content) => pipeline(content, beforeEnd, () => undefined));
    done();
  });
  return transport;
}

interface PreparedMail extends SendMailOptions {
  readonly beforeEnd: Transform;
}

/**
 * If `work` fails, the end is not sent. Buffers one piece, so that `work` starts when the connection has all the rest.
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

/** Owners of mailboxes name any host, so each connection goes to a checked address. */
function optionsFor(server: MailServer, names: GuardedNames): SMTPTransport.Options {
  const { host, port, security, user } = server;
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user && { auth: { user: user.name, pass: user.password } }),
    getSocket: (_, done) => callbackify(() => connectTo(server, names))(done),
  };
}

async function connectTo({ host, port }: MailServer, names: GuardedNames): Promise<{ readonly connection: Socket }> {
  const located = await names.locate(host);
  if (located.kind === 'failure') throw new Error(`No connection to ${host}: ${located.detail}.`);
  const socket = connect({ port, ...pinnedAddressOptions(host, located.addresses) });
  // An error without a listener would end the process.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
    return { connection: socket };
  } catch (error) {
    socket.destroy();
    const { name, message } = error as Error;
    const reason = name === 'AbortError' ? `timed out after ${CONNECT_MS / 1000} seconds` : message;
    throw new Error(`No connection to ${host}: ${reason}`, { cause: error });
  }
}
