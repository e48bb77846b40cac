import { BacklogService } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { AccountTrafficReader } from './account-traffic.reader.js';
import { ConsoleSystemController } from './system.controller.js';
import { SystemReader } from './system.reader.js';

/** The state of the installation, for its owner. */
@Module({
  imports: [ShellModule],
  controllers: [ConsoleSystemController],
  providers: [AccountTrafficReader, BacklogService, SystemReader],
})
export class ConsoleSystemModule {}
