import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleHeldMailController } from './held-mail.controller.js';

/** Mails that wait for a person. */
@Module({ imports: [DeskModule, ShellModule], controllers: [ConsoleHeldMailController] })
export class ConsoleHeldMailModule {}
