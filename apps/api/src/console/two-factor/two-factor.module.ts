import { Module } from '@nestjs/common';
import { ConsoleProfileModule } from '../profile/profile.module.js';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleTwoFactorController } from './two-factor.controller.js';

/** Setting up two-factor sign-in, also for people who can open no other page before. */
@Module({ imports: [ConsoleProfileModule, ShellModule], controllers: [ConsoleTwoFactorController] })
export class ConsoleTwoFactorModule {}
