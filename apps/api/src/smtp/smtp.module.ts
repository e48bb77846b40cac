import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { MailListener } from './mail-listener.js';

@Module({ imports: [DeskModule], providers: [MailListener] })
export class SmtpModule {}
