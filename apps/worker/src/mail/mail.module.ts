import { Mailer } from '#libs/mail';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Module } from '@nestjs/common';
import { WorkerTelemetryModule } from '../telemetry/worker-telemetry.module.js';
import { CustomerCopiesMailer } from './customer-copies-mailer.js';
import { WebhookNoticesMailer } from './webhook-notices-mailer.js';

@Module({
  imports: [WorkerTelemetryModule],
  providers: [
    Mailer,
    { provide: Links, inject: [SETTINGS_TOKEN], useFactory: (settings: Settings) => new Links(settings.PUBLIC_URL) },
    CustomerCopiesMailer,
    WebhookNoticesMailer,
  ],
  exports: [CustomerCopiesMailer, WebhookNoticesMailer],
})
export class MailModule {}
