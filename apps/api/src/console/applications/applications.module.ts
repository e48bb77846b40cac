import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleApplicationsController } from './applications.controller.js';
import { ApplicationsReader } from './applications.reader.js';

/** Programs that were given access to the account. */
@Module({
  imports: [ShellModule],
  controllers: [ConsoleApplicationsController],
  providers: [ApplicationsReader],
})
export class ConsoleApplicationsModule {}
