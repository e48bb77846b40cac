import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleAuditController } from './audit.controller.js';
import { AuditReader } from './audit.reader.js';

/** What happened in the account, and who did it. */
@Module({
  imports: [ShellModule],
  controllers: [ConsoleAuditController],
  providers: [AuditReader],
})
export class ConsoleEventsModule {}
