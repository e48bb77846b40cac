import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleSecurityController } from './security.controller.js';

/** What the owner asks of everybody who signs in. */
@Module({ imports: [ShellModule], controllers: [ConsoleSecurityController] })
export class ConsoleSecurityModule {}
