import { SMTP_SECURITIES, type SmtpSecurity } from '#libs/entities';
import type { SmtpFields } from '#libs/mailboxes';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { ApiDescription } from '../edge/api-description.js';
import { HostName, Text } from '../edge/field-decorators.js';

const PORTS = { tls: 465, starttls: 587, none: 25 } as const;

export class SmtpDto {
  @ApiDescription('Its name, or its address.') @HostName() host: string;
  @ApiDescription('465 with TLS, 587 with STARTTLS, 25 without, unless it is told.')
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(65_535)
  port?: number | null;
  @ApiDescription('TLS from the first byte on, before anything is said, or not at all.', { default: 'tls' })
  @IsOptional()
  @IsIn(SMTP_SECURITIES)
  security?: SmtpSecurity | null;
  @ApiDescription('Who signs in there; without it nobody does.') @IsOptional() @Text(320) username?: string | null;
  @ApiDescription('Never shown. The former one stays where it is left out and neither server nor user change.')
  @IsOptional()
  @Text(1000)
  password?: string | null;

  toInput(): SmtpFields {
    const security = this.security ?? 'tls';
    return {
      host: this.host.toLowerCase(),
      port: this.port ?? PORTS[security],
      security,
      username: this.username ?? null,
      password: this.password ?? undefined,
    };
  }
}
