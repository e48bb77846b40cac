import type { MailboxFields } from '#libs/desk';
import { IsOptional } from 'class-validator';
import { Email, Text } from '../../../http/field-decorators.js';

export class CreateMailboxDto {
  @Text(100) name: string;
  @Email() email: string;

  toInput(): MailboxFields {
    return { name: this.name, email: this.email.toLowerCase() };
  }
}

export class ChangeMailboxDto {
  @IsOptional() @Text(100) name?: string;
  @IsOptional() @Email() email?: string;

  toInput(): { name: string | undefined; email: string | undefined } {
    return { name: this.name ?? undefined, email: this.email?.toLowerCase() };
  }
}
