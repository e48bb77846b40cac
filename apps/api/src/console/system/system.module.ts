import { BacklogService, TrafficService } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleSystemController } from './system.controller.js';
import { SystemReader } from './system.reader.js';

/** The state of the installation, for its owner. */
@Module({
  imports: [ShellModule],
  controllers: [ConsoleSystemController],
  providers: [BacklogService, TrafficService, SystemReader],
})
export class ConsoleSystemModule {}
