import { ImapAccountsService, MailboxSmtpService, MailboxesService } from '#libs/mailboxes';
import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Caller } from '../layers/edge/caller.js';
import { PageQueryDto } from '../layers/edge/page-query.dto.js';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { Scopes } from '../layers/oauth/required-scopes.js';
import { ChangeMailboxDto, CreateMailboxDto, ImapDto, ImportDto, SmtpDto } from './mailboxes.dto.js';

const ID = new IdentifierPipe('mailbox');

@Controller('v1/mailboxes')
export class MailboxesController {
  constructor(private readonly mailboxes: MailboxesService) {}

  @Get()
  @Scopes('people:read')
  @ApiOperation('List mailboxes, oldest first', { list: ['mailboxes', 'Mailbox'] })
  listMailboxes(@Caller() caller: Caller, @Query() query: PageQueryDto) {
    return this.mailboxes.list(caller, query.toQuery());
  }

  @Post()
  @Scopes('settings')
  @ApiOperation('Add a mailbox', { created: ['mailbox', 'Mailbox'], conflicts: ['mailbox_exists'] })
  createMailbox(@Caller() caller: Caller, @Body() dto: CreateMailboxDto) {
    return this.mailboxes.create(caller, dto.toInput());
  }

  @Get(':id')
  @Scopes('people:read')
  @ApiOperation('Read a mailbox', { record: ['mailbox', 'Mailbox'] })
  readMailbox(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.mailboxes.read(caller, id);
  }

  @Put(':id')
  @Scopes('settings')
  @ApiOperation('Change a mailbox', { record: ['mailbox', 'Mailbox'], conflicts: ['mailbox_exists'] })
  changeMailbox(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: ChangeMailboxDto) {
    return this.mailboxes.change(caller, id, dto.toInput());
  }

  @Delete(':id')
  @Scopes('settings')
  @ApiOperation('Delete a mailbox that holds no tickets', { conflicts: ['mailbox_in_use', 'last_mailbox'] })
  deleteMailbox(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.mailboxes.remove(caller, id);
  }
}

@Controller('v1/mailboxes/:id/imap')
@Scopes('settings')
export class ImapController {
  constructor(private readonly accounts: ImapAccountsService) {}

  @Get()
  @ApiOperation('Read the IMAP settings of a mailbox', { record: ['imap', 'Imap'], canBeNotFound: true })
  readImap(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.accounts.read(caller, id);
  }

  @Put()
  @ApiOperation('Set up IMAP for a mailbox', {
    record: ['imap', 'Imap'],
    conflicts: ['imap_secret_required'],
  })
  setImap(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: ImapDto) {
    return this.accounts.save(caller, id, dto.toInput());
  }

  @Delete()
  @ApiOperation('Remove IMAP from a mailbox', { canBeNotFound: true })
  deleteImap(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.accounts.remove(caller, id);
  }

  @Post('rescan')
  @ApiOperation('Fetch mail that was missed', { record: ['imap', 'Imap'], canBeNotFound: true })
  rescanImap(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.accounts.rescan(caller, id);
  }

  @Post('pause')
  @ApiOperation('Pause fetching by IMAP', { record: ['imap', 'Imap'], canBeNotFound: true })
  pauseImap(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.accounts.setPaused(caller, id, true);
  }

  @Post('resume')
  @ApiOperation('Resume fetching by IMAP', { record: ['imap', 'Imap'], canBeNotFound: true })
  resumeImap(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.accounts.setPaused(caller, id, false);
  }
}

@Controller('v1/mailboxes/:id/imap/import')
@Scopes('settings')
export class ImapImportController {
  constructor(private readonly accounts: ImapAccountsService) {}

  @Get()
  @ApiOperation('Read the progress of the import of older mail', {
    record: ['import', 'ImapImport'],
    canBeNotFound: true,
  })
  readImapImport(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.accounts.readImport(caller, id);
  }

  @Post()
  @ApiOperation('Import mail from before the mailbox was connected', {
    record: ['import', 'ImapImport'],
    canBeNotFound: true,
    conflicts: ['import_is_running'],
  })
  startImapImport(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: ImportDto) {
    return this.accounts.startImport(caller, id, dto.toInput());
  }

  @Delete()
  @ApiOperation('Stop the import of older mail', { canBeNotFound: true })
  stopImapImport(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.accounts.stopImport(caller, id);
  }
}

@Controller('v1/mailboxes/:id/smtp')
@Scopes('settings')
export class SmtpController {
  constructor(private readonly servers: MailboxSmtpService) {}

  @Get()
  @ApiOperation('Read the SMTP settings of a mailbox', {
    record: ['smtp', 'MailboxSmtp'],
    canBeNotFound: true,
  })
  readSmtp(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.servers.read(caller, id);
  }

  @Put()
  @ApiOperation('Set the SMTP server of a mailbox', { record: ['smtp', 'MailboxSmtp'] })
  setSmtp(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: SmtpDto) {
    return this.servers.set(caller, id, dto.toInput());
  }

  @Delete()
  @ApiOperation('Remove the SMTP server of a mailbox, so that it sends through the server of the installation', {
    canBeNotFound: true,
  })
  deleteSmtp(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.servers.remove(caller, id);
  }
}
