import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleViewsController } from './views.controller.js';

@Module({ imports: [DeskModule, ShellModule], controllers: [ConsoleViewsController] })
export class ConsoleViewsModule {}
