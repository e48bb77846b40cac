import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { SignInModule } from '../../sign-in/sign-in.module.js';
import { Navigation } from './navigation.js';

/** What every controller of the console needs. */
@Module({ imports: [DiscoveryModule, SignInModule], providers: [Navigation], exports: [Navigation, SignInModule] })
export class ShellModule {}
