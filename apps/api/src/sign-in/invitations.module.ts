import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { SignInModule } from './sign-in.module.js';
import { Invitations } from './invitations.js';

@Module({ imports: [DeskModule, SignInModule], providers: [Invitations], exports: [Invitations] })
export class InvitationsModule {}
