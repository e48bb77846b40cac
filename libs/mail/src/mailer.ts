import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { type Transporter, createTransport } from 'nodemailer';

export interface Mail {
  readonly to: string;
  /** Where an answer goes, when not to the sender. */
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
}

/** `no_server`: nothing to send with. `unsure`: the connection was lost where the server may or may not have taken it. */
export const SEND_RESULTS = ['sent', 'refused', 'unsure', 'no_server'] as const;
export type SendResult = (typeof SEND_RESULTS)[number];

const SMTP_TIMEOUT_MS = 10_000;

/** Sends by SMTP where there is a server for it. Never called in a transaction, and never waited for by a stranger. */
@Injectable()
export class Mailer {
  private readonly transport: Transporter | undefined;

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.transport = settings.SMTP_URL
      ? createTransport(settings.SMTP_URL, {
          from: settings.MAIL_FROM,
          connectionTimeout: SMTP_TIMEOUT_MS,
          greetingTimeout: SMTP_TIMEOUT_MS,
          socketTimeout: SMTP_TIMEOUT_MS,
        } as object)
      : undefined;
  }

  /** What a person is told of mail follows from this. */
  get canSend(): boolean {
    return this.transport !== undefined;
  }

  /** What goes wrong is logged. The result is for whoever may try again, and must not send twice. */
  async send(mail: Mail): Promise<SendResult> {
    if (!this.transport) return this.keepBack(mail);
    try {
      await this.transport.sendMail({ from: this.settings.MAIL_FROM, ...mail });
      return 'sent';
    } catch (error) {
      this.logger.error({ err: error, subject: mail.subject }, 'mail not sent');
      return wasRefused(error as SmtpError) ? 'refused' : 'unsure';
    }
  }

  /** On a developer's machine the text itself, links included, is in the log; anywhere else that would leak them. */
  private keepBack(mail: Mail): SendResult {
    if (this.settings.NODE_ENV === 'development') this.logger.info({ mail }, 'mail not sent: SMTP_URL is not set');
    else this.logger.warn({ subject: mail.subject }, 'mail not sent: SMTP_URL is not set');
    return 'no_server';
  }
}

interface SmtpError {
  readonly code?: string;
  readonly syscall?: string;
  readonly responseCode?: number;
}

/** The server said no, or was never reached. Of a connection that ended early nothing more is known. */
function wasRefused({ code, syscall, responseCode }: SmtpError): boolean {
  return responseCode !== undefined || syscall === 'connect' || code === 'EDNS';
}
