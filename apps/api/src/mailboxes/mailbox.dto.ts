import type { MailboxFields } from '#libs/mailboxes';
import { IsOptional } from 'class-validator';
import { ApiDescription } from '../edge/api-description.js';
import { BooleanFlag, Email, MAX_SIGNATURE, Text, TextOrEmpty } from '../edge/field-decorators.js';

export class CreateMailboxDto {
  @ApiDescription('No other mailbox has it.') @Text(100) name: string;
  @ApiDescription('Where customers write to.') @Email() email: string;
  @ApiDescription('Whether what agents answer here goes to the customer by mail.', { default: true })
  @IsOptional()
  @BooleanFlag()
  replies_by_mail?: boolean | null;

  @ApiDescription(
    'Below what goes out from it by mail. `{{agent}}`, `{{mailbox}}` and `{{account}}` stand for their names.',
  )
  @IsOptional()
  @TextOrEmpty(MAX_SIGNATURE)
  signature?: string | null;

  @ApiDescription(
    'How the server that receives for it names itself in Authentication-Results. Null: none of them counts.',
  )
  @IsOptional()
  @TextOrEmpty(253)
  authserv_id?: string | null;

  toInput(): MailboxFields {
    const { name, email, replies_by_mail: repliesByMail, signature } = this;
    const shown = {
      repliesByMail: repliesByMail ?? undefined,
      signature: signature ?? undefined,
      authservId: this.authserv_id || null,
    };
    return { name, email: email.toLowerCase(), ...shown };
  }
}

export class ChangeMailboxDto {
  @ApiDescription('The new name.') @IsOptional() @Text(100) name?: string;
  @ApiDescription('The new e-mail address.') @IsOptional() @Email() email?: string;
  @ApiDescription('Whether what agents answer here goes to the customer by mail.')
  @IsOptional()
  @BooleanFlag()
  replies_by_mail?: boolean | null;

  @ApiDescription(
    'Below what goes out from it by mail. `{{agent}}`, `{{mailbox}}` and `{{account}}` stand for their names.',
  )
  @IsOptional()
  @TextOrEmpty(MAX_SIGNATURE)
  signature?: string | null;

  @ApiDescription(
    'How the server that receives for it names itself in Authentication-Results. Null: none of them counts.',
  )
  @IsOptional()
  @TextOrEmpty(253)
  authserv_id?: string | null;

  toInput(): Partial<{ readonly [K in keyof MailboxFields]: MailboxFields[K] | undefined }> {
    return {
      name: this.name ?? undefined,
      email: this.email?.toLowerCase(),
      repliesByMail: this.replies_by_mail ?? undefined,
      signature: this.signature === null ? '' : this.signature,
      authservId: this.authserv_id === '' ? null : this.authserv_id,
    };
  }
}
