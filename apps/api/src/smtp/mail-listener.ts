import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { MAX_MAIL_BYTES } from '#libs/desk';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SMTPServer, type SMTPServerAddress, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { UncountedAddresses } from '../http/uncounted-addresses.js';
import { MailIntake } from './mail-intake.js';
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

/** Accepts mail over SMTP for the mailboxes of all accounts. 250 is said when the mail cannot be lost any more. */
@Injectable()
export class MailListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private server: SMTPServer | undefined;
  private readonly visits: MailVisits;

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly intake: MailIntake,
  ) {
    this.visits = new MailVisits(new UncountedAddresses(settings.TRUSTED_PROXIES));
  }

  async onApplicationBootstrap(): Promise<void> {
    const { MAIL_PORT: port, MAIL_HOST: host } = this.settings;
    if (port === 0) return;
    const server = new SMTPServer(await this.options());
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => resolve());
    });
    // A client that goes away in the middle is an error to the library.
    server.on('error', (error) => this.logger.debug({ err: error }, 'a client of the mail port failed'));
    this.server = server;
    const { port: listening } = server.server.address() as AddressInfo;
    this.logger.info({ host, port: listening }, 'mail is accepted');
  }

  async beforeApplicationShutdown(): Promise<void> {
    await new Promise<void>((resolve) => (this.server ? this.server.close(() => resolve()) : resolve()));
  }

  private async options(): Promise<SMTPServerOptions> {
    const tls = await this.tls();
    const limits = { withinMs: TRANSFER_MS, stallMs: this.settings.STALL_TIMEOUT_MS };
    return {
      name: new URL(this.settings.PUBLIC_URL).hostname,
      banner: 'Deskwire',
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
      onData: (stream, session, done) => void this.answer(done, () => this.intake.accept(stream, session, limits)),
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

  private async answer(done: (error?: Error | null) => void, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      done();
    } catch (error) {
      const fault = faultOf(error);
      if (fault !== 'theirs') this.logger[fault]({ err: error }, 'a mail could not be accepted');
      done(refusalFor(error));
    }
  }
}
