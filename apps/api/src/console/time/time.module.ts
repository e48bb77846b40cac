import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleOwnTimeZoneController } from './own-time-zone.controller.js';
import { ConsoleTimeController } from './time.controller.js';

/** In which time zone people see times. */
@Module({ imports: [ShellModule], controllers: [ConsoleTimeController, ConsoleOwnTimeZoneController] })
export class ConsoleTimeModule {}
