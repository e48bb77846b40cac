import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleOutgoingMailsController } from './outgoing-mails.controller.js';

/** What an account sends to people outside. */
@Module({ imports: [DeskModule, ShellModule], controllers: [ConsoleOutgoingMailsController] })
export class ConsoleMailsModule {}
