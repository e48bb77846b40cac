import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { MailIntake } from './mail-intake.js';
import { MailListener } from './mail-listener.js';

@Module({ imports: [DeskModule], providers: [MailIntake, MailListener] })
export class SmtpModule {}
