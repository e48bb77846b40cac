import { ImapImportsService } from '#libs/mailboxes';
import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { IdentifierPipe } from '../edge/identifier.pipe.js';
import { Scopes } from '../oauth/required-scopes.js';
import { Caller } from '../edge/caller.js';
import { ImportDto } from './import.dto.js';

const ID = new IdentifierPipe('mailbox');

/** Mail that was on the server before the mailbox was connected. */
@Controller('v1/mailboxes/:id/imap/import')
export class ImapImportController {
  constructor(private readonly imports: ImapImportsService) {}

  @Get()
  @Scopes('admin')
  @ApiOperation('Read how far the import of older mail is', { record: ['import', 'ImapImport'], canBeNotFound: true })
  read(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.imports.read(caller, id);
  }

  @Post()
  @HttpCode(200)
  @Scopes('admin')
  @ApiOperation('Bring in the mail that was on the server before the mailbox was connected', {
    record: ['import', 'ImapImport'],
    canBeNotFound: true,
    conflicts: ['import_is_running'],
  })
  start(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: ImportDto) {
    return this.imports.start(caller, id, dto.toInput());
  }

  @Delete()
  @HttpCode(204)
  @Scopes('admin')
  @ApiOperation('Stop the import of older mail', { canBeNotFound: true })
  stop(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.imports.stop(caller, id);
  }
}
