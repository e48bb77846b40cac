import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { OAuthModule } from '../oauth/oauth.module.js';
import { TicketsController } from './tickets.controller.js';

@Module({ imports: [DeskModule, OAuthModule], controllers: [TicketsController] })
export class TicketsModule {}
