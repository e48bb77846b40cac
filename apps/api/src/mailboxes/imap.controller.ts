import { ImapAccountsService } from '#libs/mailboxes';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { IdentifierPipe } from '../edge/identifier.pipe.js';
import { Scopes } from '../oauth/required-scopes.js';
import { Caller } from '../edge/caller.js';
import { ImapDto } from './imap.dto.js';

const ID = new IdentifierPipe('mailbox');

/** Mail that comes by IMAP. */
@Controller('v1/mailboxes/:id/imap')
export class ImapController {
  constructor(private readonly accounts: ImapAccountsService) {}

  @Get()
  @Scopes('admin')
  @ApiOperation('Read where a mailbox gets its mail by IMAP', { record: ['imap', 'Imap'], canBeNotFound: true })
  read(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.accounts.read(caller, id);
  }

  @Put()
  @Scopes('admin')
  @ApiOperation('Have a mailbox get its mail by IMAP', {
    record: ['imap', 'Imap'],
    conflicts: ['imap_secret_required'],
  })
  save(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: ImapDto) {
    return this.accounts.save(caller, id, dto.toInput());
  }

  @Delete()
  @HttpCode(204)
  @Scopes('admin')
  @ApiOperation('Have a mailbox get no mail by IMAP', { canBeNotFound: true })
  remove(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.accounts.remove(caller, id);
  }

  @Post('rescan')
  @HttpCode(200)
  @Scopes('admin')
  @ApiOperation('Compare what the server has with what arrived', { record: ['imap', 'Imap'], canBeNotFound: true })
  rescan(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.accounts.rescan(caller, id);
  }

  @Post('pause')
  @HttpCode(200)
  @Scopes('admin')
  @ApiOperation('Leave the server alone for a while', { record: ['imap', 'Imap'], canBeNotFound: true })
  pause(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.accounts.pause(caller, id);
  }

  @Post('resume')
  @HttpCode(200)
  @Scopes('admin')
  @ApiOperation('Go on where it was paused', { record: ['imap', 'Imap'], canBeNotFound: true })
  resume(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.accounts.resume(caller, id);
  }
}
