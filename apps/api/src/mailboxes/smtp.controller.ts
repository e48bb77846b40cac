import { MailboxSmtpService } from '#libs/mailboxes';
import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { IdentifierPipe } from '../edge/identifier.pipe.js';
import { Scopes } from '../oauth/required-scopes.js';
import { Caller } from '../edge/caller.js';
import { SmtpDto } from './smtp.dto.js';

const ID = new IdentifierPipe('mailbox');

/** Mail that goes out through a server of the mailbox’s own. */
@Controller('v1/mailboxes/:id/smtp')
@Scopes('admin')
export class SmtpController {
  constructor(private readonly servers: MailboxSmtpService) {}

  @Get()
  @ApiOperation('Read through which mail server a mailbox sends', {
    record: ['smtp', 'MailboxSmtp'],
    canBeNotFound: true,
  })
  read(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.servers.read(caller, id);
  }

  @Put()
  @ApiOperation('Have a mailbox send through a mail server of its own', { record: ['smtp', 'MailboxSmtp'] })
  set(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: SmtpDto) {
    return this.servers.set(caller, id, dto.toInput());
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation('Have a mailbox send through the server of the installation again', { canBeNotFound: true })
  remove(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.servers.remove(caller, id);
  }
}
