import type { MailboxFields } from '#libs/desk';
import { IsOptional } from 'class-validator';
import { ApiDescription } from '../../../http/api-description.js';
import { BooleanFlag, Email, Text } from '../../../http/field-decorators.js';

export class CreateMailboxDto {
  @ApiDescription('No other mailbox has it.') @Text(100) name: string;
  @ApiDescription('Where customers write to.') @Email() email: string;
  @ApiDescription('Whether what agents answer here goes to the customer by mail.', { default: true })
  @IsOptional()
  @BooleanFlag()
  replies_by_mail?: boolean | null;

  toInput(): MailboxFields {
    const { name, email, replies_by_mail: repliesByMail } = this;
    return { name, email: email.toLowerCase(), repliesByMail: repliesByMail ?? undefined };
  }
}

export class ChangeMailboxDto {
  @ApiDescription('The new name.') @IsOptional() @Text(100) name?: string;
  @ApiDescription('The new e-mail address.') @IsOptional() @Email() email?: string;
  @ApiDescription('Whether what agents answer here goes to the customer by mail.')
  @IsOptional()
  @BooleanFlag()
  replies_by_mail?: boolean | null;

  toInput(): Partial<{ readonly [K in keyof MailboxFields]: MailboxFields[K] | undefined }> {
    return {
      name: this.name ?? undefined,
      email: this.email?.toLowerCase(),
      repliesByMail: this.replies_by_mail ?? undefined,
    };
  }
}
