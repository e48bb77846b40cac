import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { MAX_MAIL_BYTES } from '#libs/mailboxes';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerDataResult,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';
import { UncountedAddresses } from '../layers/edge/address-counts.js';
import { MailIntakeService, type MailProtocol } from './mail-intake.service.js';
import { connectionOf } from './smtp-internals.js';
import { SmtpRefusal, logLevelOf, refusalFor } from './smtp-refusal.js';
import { SmtpSessions } from './smtp-sessions.js';

/** The sending server splits a longer list. */
const MAX_RECIPIENTS = 50;
/** More than the sessions, because sockets may be closing. */
const MAX_SOCKETS = 400;
const SOCKET_TIMEOUT_MS = 60_000;
/** How long senders wait for a reply (RFC 5321). */
const TRANSFER_TIMEOUT_MS = 10 * 60_000;
const CLOSE_TIMEOUT_MS = 10_000;

interface MailServerOptions {
  readonly protocol: MailProtocol;
  readonly name: string;
  readonly stallMs: number;
  /** STARTTLS would otherwise use the public default key of the library. */
  readonly tls: Pick<SMTPServerOptions, 'key' | 'cert'> | undefined;
}

@Injectable()
export class MailListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly servers: MailServer[] = [];

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly intake: MailIntakeService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { MAIL_PORT, MAIL_LMTP_PORT } = this.settings;
    if (MAIL_PORT !== 0) await this.listen('smtp', MAIL_PORT);
    if (MAIL_LMTP_PORT !== 0) await this.listen('lmtp', MAIL_LMTP_PORT);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()));
  }

  private async listen(protocol: MailProtocol, port: number): Promise<void> {
    const { MAIL_HOST: host, PUBLIC_URL, STALL_TIMEOUT_MS: stallMs, TRUSTED_PROXIES } = this.settings;
    const options = { protocol, name: new URL(PUBLIC_URL).hostname, stallMs, tls: await this.tls() };
    const sessions = new SmtpSessions(new UncountedAddresses(TRUSTED_PROXIES));
    const server = new MailServer(options, this.intake, sessions, this.logger);
    const listening = await server.listen(port, host);
    this.servers.push(server);
    this.logger.info({ host, port: listening, protocol }, 'mail is accepted');
  }

  private async tls(): Promise<MailServerOptions['tls']> {
    const { MAIL_TLS_KEY: key, MAIL_TLS_CERT: cert } = this.settings;
    return key && cert ? { key: await readFile(key), cert: await readFile(cert) } : undefined;
  }
}

/** Replies 250 once the mail is stored durably. */
export class MailServer {
  private readonly server: SMTPServer;

  constructor(
    private readonly options: MailServerOptions,
    private readonly intake: MailIntakeService,
    private readonly sessions: SmtpSessions,
    private readonly logger: Logger,
  ) {
    this.server = new SMTPServer(this.libraryOptions());
  }

  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => resolve());
    });
    // The library reports a client that disconnects as an error.
    this.server.on('error', (error) => this.logger.debug({ err: error }, 'a client of the mail port failed'));
    return (this.server.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private libraryOptions(): SMTPServerOptions {
    const { protocol, name, tls } = this.options;
    return {
      name,
      banner: 'Deskwire',
      lmtp: protocol === 'lmtp',
      size: MAX_MAIL_BYTES,
      maxClients: MAX_SOCKETS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      closeTimeout: CLOSE_TIMEOUT_MS,
      disableReverseLookup: true,
      // The port does not relay.
      disabledCommands: ['AUTH', ...(tls ? [] : ['STARTTLS'])],
      ...tls,
      onConnect: (session, done) => void this.answer(done, async () => this.enter(session)),
      onClose: (session) => this.sessions.leave(session),
      onMailFrom: (_address, _session, done) => void this.answer(done, () => this.intake.refuseWithoutRoom()),
      onRcptTo: (address, session, done) => void this.answer(done, () => this.acceptRecipient(address, session)),
      onData: (stream, session, done) => void this.answer(done, () => this.receive(stream, session)),
    };
  }

  private enter(session: SMTPServerSession): void {
    const connection = connectionOf(this.server, session);
    if (connection) this.sessions.enter(session, connection);
  }

  private async acceptRecipient(recipient: SMTPServerAddress, session: SMTPServerSession): Promise<void> {
    const { address } = recipient;
    const { rcptTo } = session.envelope;
    if (rcptTo.length >= MAX_RECIPIENTS) throw new SmtpRefusal(452, 'Too many recipients');
    try {
      await this.intake.acceptRecipient(address, session.envelope.mailFrom ? session.envelope.mailFrom.address : '');
    } catch (error) {
      if (error instanceof SmtpRefusal) this.sessions.noteRefusal(session);
      throw error;
    }
    // The library replaces a repeated recipient, but LMTP has a reply for each (RFC 2033, 4.2).
    if (this.options.protocol === 'lmtp' && rcptTo.some((one) => isSame(one.address, address))) rcptTo.push(recipient);
  }

  private async receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
  ): Promise<SMTPServerDataResult[] | undefined> {
    const { protocol, stallMs } = this.options;
    const mailEnded = this.sessions.beginMail(session);
    try {
      const answers = await this.intake.accept(stream, session, { protocol, withinMs: TRANSFER_TIMEOUT_MS, stallMs });
      if (protocol === 'smtp') return undefined;
      return answers.map((refused) => (refused === null ? 'OK' : this.refuse(refused)));
    } finally {
      mailEnded();
    }
  }

  private async answer(
    done: (error: Error | null, answers?: SMTPServerDataResult[]) => void,
    work: () => Promise<SMTPServerDataResult[] | undefined | void>,
  ): Promise<void> {
    try {
      done(null, (await work()) ?? undefined);
    } catch (error) {
      done(this.refuse(error));
    }
  }

  private refuse(error: unknown): SmtpRefusal {
    const level = logLevelOf(error);
    if (level) this.logger[level]({ err: error }, 'an email could not be accepted');
    return refusalFor(error);
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
