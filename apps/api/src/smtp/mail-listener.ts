import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ArrivalsService, MAX_MAIL_BYTES, MailRoutesService } from '#libs/desk';
import { DomainError, type Mailbox } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { SmtpRefusal, refusalFor } from './smtp-refusal.js';

/** More than anybody writes to mailboxes of one desk. The server that sends splits a longer list. */
const MOST_RECIPIENTS = 50;
const MOST_CLIENTS = 200;
const SILENCE_MS = 60_000;
/** What is being accepted when the process stops. */
const CLOSE_MS = 10_000;

/** Accepts mail over SMTP for the mailboxes of all accounts. 250 is said when the mail cannot be lost any more. */
@Injectable()
export class MailListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private server: SMTPServer | undefined;

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly routes: MailRoutesService,
    private readonly arrivals: ArrivalsService,
  ) {}

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
      onRcptTo: ({ address }, { envelope }, done) =>
        void answer(done, async () => {
          if (envelope.rcptTo.length >= MOST_RECIPIENTS) throw new SmtpRefusal(452, 'Too many recipients');
          await this.mailboxOf(address);
        }),
      onData: (stream, session, done) => void answer(done, () => this.accept(stream, session), this.logger),
    };
  }

  /** Without a certificate of the operator there is no STARTTLS: the one in the library is known to everybody. */
  private async tls(): Promise<Pick<SMTPServerOptions, 'key' | 'cert'> | undefined> {
    const { MAIL_TLS_KEY: key, MAIL_TLS_CERT: cert } = this.settings;
    return key && cert ? { key: await readFile(key), cert: await readFile(cert) } : undefined;
  }

  private async accept(stream: Readable, { envelope }: SMTPServerSession): Promise<void> {
    const envelopeFrom = envelope.mailFrom ? envelope.mailFrom.address : '';
    const source = 'smtp';
    try {
      let content: AsyncIterable<Uint8Array> = stream.iterator({ destroyOnReturn: false });
      for (const { address: envelopeTo } of envelope.rcptTo) {
        const mailbox = await this.mailboxOf(envelopeTo);
        const accepted = await this.arrivals.accept(mailbox, { source, envelopeFrom, envelopeTo, content });
        content = await this.arrivals.open(accepted);
      }
    } finally {
      // The answer is read after everything was sent.
      stream.resume();
    }
  }

  private async mailboxOf(address: string): Promise<Mailbox> {
    const mailbox = await this.routes.find(address);
    if (!mailbox) throw new SmtpRefusal(550, 'No such mailbox here');
    return mailbox;
  }
}

type Done = (error?: Error | null) => void;

async function answer(done: Done, work: () => Promise<void>, logger?: Logger): Promise<void> {
  try {
    await work();
    done();
  } catch (error) {
    if (!(error instanceof SmtpRefusal) && !(error instanceof DomainError))
      logger?.error({ err: error }, 'a mail could not be accepted');
    done(refusalFor(error));
  }
}
