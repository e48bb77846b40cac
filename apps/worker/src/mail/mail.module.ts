import { Mailer } from '#libs/mail';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Module } from '@nestjs/common';
import { MailsService } from './mails.service.js';

@Module({
  providers: [
    Mailer,
    { provide: Links, inject: [SETTINGS_TOKEN], useFactory: (settings: Settings) => new Links(settings.PUBLIC_URL) },
    MailsService,
  ],
  exports: [MailsService],
})
export class MailModule {}
