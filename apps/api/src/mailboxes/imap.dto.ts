import { IMAP_SECURITIES, type ImapSecurity } from '#libs/entities';
import type { ImapFields } from '#libs/mailboxes';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { ApiDescription } from '../edge/api-description.js';
import { HostName, HttpsAddress, Line } from '../edge/field-decorators.js';

const PORTS = { tls: 993, starttls: 143, none: 143 } as const;

type Opening = Pick<ImapFields, 'signIn' | 'tokenUrl' | 'clientId' | 'secret'>;

export class ImapDto {
  @ApiDescription('The server.') @HostName() host: string;
  @ApiDescription('993 with TLS, 143 without, unless it is told.')
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(65_535)
  port?: number | null;
  @ApiDescription('`none` sends the password in the clear.', { default: 'tls' })
  @IsOptional()
  @IsIn(IMAP_SECURITIES)
  security?: ImapSecurity | null;
  @ApiDescription('Who signs in.') @Line(320) username: string;
  @ApiDescription('Where the mail is.', { default: 'INBOX' })
  @IsOptional()
  @Line(500)
  folder?: string | null;
  @ApiDescription('Never shown. The former one stays where it is left out and neither server nor user change.')
  @IsOptional()
  @Line(1000)
  password?: string | null;
  @ApiDescription('Where the refresh token is changed for an access token. With it, sign-in is by OAuth (XOAUTH2).')
  @IsOptional()
  @HttpsAddress()
  token_url?: string | null;
  @ApiDescription('For OAuth: the client.') @IsOptional() @Line(1000) client_id?: string | null;
  @ApiDescription('For OAuth: its secret, if it has one. Never shown.')
  @IsOptional()
  @Line(4000)
  client_secret?: string | null;
  @ApiDescription('For OAuth. Never shown, and kept like a password.')
  @IsOptional()
  @Line(8000)
  refresh_token?: string | null;

  toInput(): ImapFields {
    const { host, username, security: asked } = this;
    const security = asked ?? 'tls';
    const server = { host: host.toLowerCase(), port: this.port ?? PORTS[security], security, username };
    return { ...server, folder: this.folder ?? 'INBOX', ...(this.token_url ? this.byOAuth() : this.byPassword()) };
  }

  private byPassword(): Opening {
    const secret = this.password ? { password: this.password } : null;
    return { signIn: 'password', tokenUrl: null, clientId: null, secret };
  }

  private byOAuth(): Opening {
    const { refresh_token: refreshToken, client_secret: clientSecret } = this;
    const secret = refreshToken ? { refreshToken, clientSecret: clientSecret ?? null } : null;
    return { signIn: 'oauth', tokenUrl: this.token_url ?? null, clientId: this.client_id ?? null, secret };
  }
}
