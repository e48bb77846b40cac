import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleRepliesController } from './replies.controller.js';

/** How the replies of an account are sent. */
@Module({ imports: [DeskModule, ShellModule], controllers: [ConsoleRepliesController] })
export class ConsoleRepliesModule {}
