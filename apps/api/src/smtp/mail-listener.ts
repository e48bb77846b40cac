import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { MAX_MAIL_BYTES } from '#libs/desk';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerDataResult,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';
import { UncountedAddresses } from '../http/uncounted-addresses.js';
import { MailIntake, type MailProtocol } from './mail-intake.js';
import { MailVisits } from './mail-visits.js';
import { SmtpRefusal, faultOf, refusalFor } from './smtp-refusal.js';

/** More than anybody writes to mailboxes of one desk. The server that sends splits a longer list. */
const MOST_RECIPIENTS = 50;
const MOST_CLIENTS = 200;
const SILENCE_MS = 60_000;
/** RFC 5321: so long does a sender wait for the answer. */
const TRANSFER_MS = 10 * 60_000;
/** What is being accepted when the process stops. */
const CLOSE_MS = 10_000;

/** Accepts mail over SMTP and LMTP for the mailboxes of all accounts. 250 is said when the mail cannot be lost any more. */
@Injectable()
export class MailListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly servers: SMTPServer[] = [];
  private readonly visits: MailVisits;

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly intake: MailIntake,
  ) {
    this.visits = new MailVisits(new UncountedAddresses(settings.TRUSTED_PROXIES));
  }

  async onApplicationBootstrap(): Promise<void> {
    const { MAIL_PORT, MAIL_LMTP_PORT } = this.settings;
    if (MAIL_PORT !== 0) await this.listen('smtp', MAIL_PORT);
    if (MAIL_LMTP_PORT !== 0) await this.listen('lmtp', MAIL_LMTP_PORT);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
  }

  private async listen(protocol: MailProtocol, port: number): Promise<void> {
    const { MAIL_HOST: host } = this.settings;
    const server = new SMTPServer(await this.options(protocol));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => resolve());
    });
    // A client that goes away in the middle is an error to the library.
    server.on('error', (error) => this.logger.debug({ err: error }, 'a client of the mail port failed'));
    this.servers.push(server);
    const { port: listening } = server.server.address() as AddressInfo;
    this.logger.info({ host, port: listening, protocol }, 'mail is accepted');
  }

  private async options(protocol: MailProtocol): Promise<SMTPServerOptions> {
    const tls = await this.tls();
    const limits = { protocol, withinMs: TRANSFER_MS, stallMs: this.settings.STALL_TIMEOUT_MS };
    return {
      name: new URL(this.settings.PUBLIC_URL).hostname,
      banner: 'Deskwire',
      lmtp: protocol === 'lmtp',
      size: MAX_MAIL_BYTES,
      maxClients: MOST_CLIENTS,
      socketTimeout: SILENCE_MS,
      closeTimeout: CLOSE_MS,
      disableReverseLookup: true,
      // Nobody sends mail to others through this port, so nobody signs in.
      disabledCommands: ['AUTH', ...(tls ? [] : ['STARTTLS'])],
      ...tls,
      onConnect: (session, done) => void this.answer(done, async () => this.visits.enter(session)),
      onClose: (session) => this.visits.leave(session),
      onRcptTo: (address, session, done) => void this.answer(done, () => this.nameRecipient(address, session)),
      onData: (stream, session, done) =>
        void this.answer(done, async () => {
          const answers = await this.intake.accept(stream, session, limits);
          return protocol === 'lmtp'
            ? answers.map((refused) => (refused === null ? 'OK' : this.refuse(refused)))
            : undefined;
        }),
    };
  }

  /** Without a certificate of the operator there is no STARTTLS: the one in the library is known to everybody. */
  private async tls(): Promise<Pick<SMTPServerOptions, 'key' | 'cert'> | undefined> {
    const { MAIL_TLS_KEY: key, MAIL_TLS_CERT: cert } = this.settings;
    return key && cert ? { key: await readFile(key), cert: await readFile(cert) } : undefined;
  }

  private async nameRecipient({ address }: SMTPServerAddress, session: SMTPServerSession): Promise<void> {
    if (session.envelope.rcptTo.length >= MOST_RECIPIENTS) throw new SmtpRefusal(452, 'Too many recipients');
    try {
      await this.intake.route(address);
    } catch (error) {
      if (error instanceof SmtpRefusal) this.visits.noteRefusal(session);
      throw error;
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
    const fault = faultOf(error);
    if (fault !== 'theirs') this.logger[fault]({ err: error }, 'a mail could not be accepted');
    return refusalFor(error);
  }
}
