import { IMAP_SECURITIES, type ImapSecurity, SMTP_SECURITIES, type SmtpSecurity } from '#libs/entities';
import type { ImapFields, MailboxChanges, MailboxFields, SmtpFields } from '#libs/mailboxes';
import { Type } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { ApiDescription } from '../layers/edge/api-operation.decorator.js';
import {
  BooleanFlag,
  Email,
  HostName,
  HttpsAddress,
  IsTime,
  Line,
  MAX_SIGNATURE,
  Optional,
  Text,
  TextOrEmpty,
  timeOf,
} from '../layers/edge/field-decorators.js';

const Signature = () =>
  Optional(
    'Appended to emails from this mailbox. `{{agent}}`, `{{mailbox}}` and `{{account}}` are replaced by names.',
    TextOrEmpty(MAX_SIGNATURE),
  );

const AuthservId = () =>
  Optional('Name of the receiving server in `Authentication-Results`. Null: no results are trusted.', TextOrEmpty(253));

const Port = (defaults: string) =>
  Optional(
    `Default: ${defaults}.`,
    Type(() => Number),
    IsInt(),
    Min(1),
    Max(65_535),
  );

const STORED_PASSWORD = 'Write-only. If absent, the stored value is kept unless the server or user changes.';

export class CreateMailboxDto {
  @ApiDescription('Unique in the account.') @Text(100) name: string;
  @ApiDescription('The address customers write to.') @Email() email: string;
  @Optional({ words: 'Whether replies of agents are emailed to the customer.', default: true }, BooleanFlag())
  replies_by_mail?: boolean | null;
  @Signature() signature?: string | null;
  @AuthservId() authserv_id?: string | null;

  toInput(): MailboxFields {
    return {
      name: this.name,
      email: this.email.toLowerCase(),
      repliesByMail: this.replies_by_mail ?? undefined,
      signature: this.signature ?? undefined,
      authservId: this.authserv_id || null,
    };
  }
}

export class ChangeMailboxDto {
  @Optional('The new name.', Text(100)) name?: string;
  @Optional('The new email address.', Email()) email?: string;
  @Optional('Whether replies of agents are emailed to the customer.', BooleanFlag()) replies_by_mail?: boolean | null;
  @Signature() signature?: string | null;
  @AuthservId() authserv_id?: string | null;

  toInput(): MailboxChanges {
    return {
      name: this.name ?? undefined,
      email: this.email?.toLowerCase(),
      repliesByMail: this.replies_by_mail ?? undefined,
      signature: this.signature === null ? '' : this.signature,
      authservId: this.authserv_id === '' ? null : this.authserv_id,
    };
  }
}

const IMAP_PORTS = { tls: 993, starttls: 143, none: 143 } as const;

type ImapSignIn = Pick<ImapFields, 'signIn' | 'tokenUrl' | 'clientId' | 'secret'>;

export class ImapDto {
  @ApiDescription('Host name of the IMAP server.') @HostName() host: string;
  @Port('993 with TLS, 143 otherwise') port?: number | null;
  @Optional({ words: '`none` sends the password unencrypted.', default: 'tls' }, IsIn(IMAP_SECURITIES))
  security?: ImapSecurity | null;
  @ApiDescription('User name for sign-in.') @Line(320) username: string;
  @Optional({ words: 'The folder to fetch mail from.', default: 'INBOX' }, Line(500)) folder?: string | null;
  @Optional(STORED_PASSWORD, Line(1000)) password?: string | null;
  @Optional('OAuth token endpoint. Its presence selects sign-in by OAuth (XOAUTH2).', HttpsAddress())
  token_url?: string | null;
  @Optional('OAuth client id.', Line(1000)) client_id?: string | null;
  @Optional('OAuth client secret, if the client has one. Write-only.', Line(4000)) client_secret?: string | null;
  @Optional('OAuth refresh token. Write-only, and kept like `password`.', Line(8000)) refresh_token?: string | null;

  toInput(): ImapFields {
    const security = this.security ?? 'tls';
    return {
      host: this.host.toLowerCase(),
      port: this.port ?? IMAP_PORTS[security],
      security,
      username: this.username,
      folder: this.folder ?? 'INBOX',
      ...(this.token_url ? this.byOAuth() : this.byPassword()),
    };
  }

  private byPassword(): ImapSignIn {
    const secret = this.password ? { password: this.password } : null;
    return { signIn: 'password', tokenUrl: null, clientId: null, secret };
  }

  private byOAuth(): ImapSignIn {
    const { refresh_token: refreshToken, client_secret: clientSecret } = this;
    const secret = refreshToken ? { refreshToken, clientSecret: clientSecret ?? null } : null;
    return { signIn: 'oauth', tokenUrl: this.token_url ?? null, clientId: this.client_id ?? null, secret };
  }
}

export class ImportDto {
  @Optional('Imports mail received on this day or later. Default: all mail.', IsTime()) since?: string | null;

  toInput(): Date | null {
    return timeOf(this.since) ?? null;
  }
}

const SMTP_PORTS = { tls: 465, starttls: 587, none: 25 } as const;

export class SmtpDto {
  @ApiDescription('Host name or address of the SMTP server.') @HostName() host: string;
  @Port('465 with TLS, 587 with STARTTLS, 25 otherwise') port?: number | null;
  @Optional(
    { words: '`tls` encrypts from the first byte, `starttls` before sign-in, `none` not at all.', default: 'tls' },
    IsIn(SMTP_SECURITIES),
  )
  security?: SmtpSecurity | null;
  @Optional('User name for sign-in. If absent, email is sent without sign-in.', Text(320)) username?: string | null;
  @Optional(STORED_PASSWORD, Text(1000)) password?: string | null;

  toInput(): SmtpFields {
    const security = this.security ?? 'tls';
    return {
      host: this.host.toLowerCase(),
      port: this.port ?? SMTP_PORTS[security],
      security,
      username: this.username ?? null,
      password: this.password ?? undefined,
    };
  }
}
