import { MailboxesService } from '#libs/mailboxes';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { IdentifierPipe } from '../edge/path-parameter.pipes.js';
import { PageQueryDto } from '../edge/page-query.dto.js';
import { Scopes } from '../oauth/required-scopes.js';
import { Caller } from '../edge/caller.js';
import { ChangeMailboxDto, CreateMailboxDto } from './mailboxes.dto.js';

const ID = new IdentifierPipe('mailbox');

@Controller('v1/mailboxes')
export class MailboxesController {
  constructor(private readonly mailboxes: MailboxesService) {}

  @Get()
  @Scopes('read', 'admin')
  @ApiOperation('List mailboxes, oldest first', { list: ['mailboxes', 'Mailbox'] })
  list(@Caller() caller: Caller, @Query() query: PageQueryDto) {
    return this.mailboxes.list(caller, query.toQuery());
  }

  @Post()
  @Scopes('admin')
  @ApiOperation('Add a mailbox', { created: ['mailbox', 'Mailbox'], conflicts: ['mailbox_exists'] })
  create(@Caller() caller: Caller, @Body() dto: CreateMailboxDto) {
    return this.mailboxes.create(caller, dto.toInput());
  }

  @Get(':id')
  @Scopes('read', 'admin')
  @ApiOperation('Read a mailbox', { record: ['mailbox', 'Mailbox'] })
  read(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.mailboxes.read(caller, id);
  }

  @Put(':id')
  @Scopes('admin')
  @ApiOperation('Change a mailbox', { record: ['mailbox', 'Mailbox'], conflicts: ['mailbox_exists'] })
  change(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: ChangeMailboxDto) {
    return this.mailboxes.change(caller, id, dto.toInput());
  }

  @Delete(':id')
  @HttpCode(204)
  @Scopes('admin')
  @ApiOperation('Delete a mailbox that holds no tickets', { conflicts: ['mailbox_in_use', 'last_mailbox'] })
  remove(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.mailboxes.remove(caller, id);
  }
}
