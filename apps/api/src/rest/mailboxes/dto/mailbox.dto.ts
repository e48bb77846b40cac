import type { MailboxFields } from '#libs/desk';
import { IsOptional } from 'class-validator';
import { ApiDescription } from '../../../http/api-description.js';
import { Email, Text } from '../../../http/field-decorators.js';

export class CreateMailboxDto {
  @ApiDescription('No other mailbox has it.') @Text(100) name: string;
  @ApiDescription('Where customers write to.') @Email() email: string;

  toInput(): MailboxFields {
    return { name: this.name, email: this.email.toLowerCase() };
  }
}

export class ChangeMailboxDto {
  @ApiDescription('The new name.') @IsOptional() @Text(100) name?: string;
  @ApiDescription('The new e-mail address.') @IsOptional() @Email() email?: string;

  toInput(): { name: string | undefined; email: string | undefined } {
    return { name: this.name ?? undefined, email: this.email?.toLowerCase() };
  }
}
