import { MailboxesService } from '#libs/desk';
import { type Mailbox } from '#libs/entities';
import { Links, mailboxPayload } from '#libs/payloads';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { CreatedResponse, ListResponse } from '../../http/responses.js';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { PageQueryDto } from '../../http/page-query.dto.js';
import { Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';
import { ChangeMailboxDto, CreateMailboxDto } from './dto/mailbox.dto.js';

const ID = new IdentifierPipe('mailbox');

@Controller('v1/mailboxes')
export class MailboxesController {
  constructor(
    private readonly mailboxes: MailboxesService,
    private readonly links: Links,
  ) {}

  @Get()
  @Scopes('read', 'admin')
  @ApiOperation('List mailboxes, oldest first', { list: ['mailboxes', 'Mailbox'] })
  async list(@Caller() caller: Caller, @Query() query: PageQueryDto) {
    return new ListResponse('mailboxes', await this.mailboxes.list(caller, query.toQuery()), this.payload);
  }

  @Post()
  @Scopes('admin')
  @ApiOperation('Add a mailbox', { created: ['mailbox', 'Mailbox'], conflicts: ['mailbox_exists'] })
  async create(@Caller() caller: Caller, @Body() dto: CreateMailboxDto) {
    const mailbox = await this.mailboxes.create(caller, dto.toInput());
    return new CreatedResponse(this.links.record('mailboxes', mailbox.id), this.present(mailbox));
  }

  @Get(':id')
  @Scopes('read', 'admin')
  @ApiOperation('Read a mailbox', { record: ['mailbox', 'Mailbox'] })
  async read(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.present(await this.mailboxes.read(caller, id));
  }

  @Put(':id')
  @Scopes('admin')
  @ApiOperation('Change a mailbox’s name or e-mail', { record: ['mailbox', 'Mailbox'], conflicts: ['mailbox_exists'] })
  async change(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: ChangeMailboxDto) {
    return this.present(await this.mailboxes.change(caller, id, dto.toInput()));
  }

  @Delete(':id')
  @HttpCode(204)
  @Scopes('admin')
  @ApiOperation('Delete a mailbox that holds no tickets', { conflicts: ['mailbox_in_use', 'last_mailbox'] })
  remove(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.mailboxes.remove(caller, id);
  }

  private readonly payload = (mailbox: Mailbox) => mailboxPayload(mailbox, this.links);
  private readonly present = (mailbox: Mailbox) => ({ mailbox: this.payload(mailbox) });
}
