import { Module } from '@nestjs/common';
import { ConsoleApplicationsModule } from './applications/applications.module.js';
import { ConsoleCustomersModule } from './customers/customers.module.js';
import { ConsoleEventsModule } from './events/events.module.js';
import { ConsoleHeldMailModule } from './held-mail/held-mail.module.js';
import { ConsoleInboxModule } from './inbox/inbox.module.js';
import { LiveModule } from './live/live.module.js';
import { ConsoleMailboxModule } from './mailbox/mailbox.module.js';
import { ConsoleMailsModule } from './mails/mails.module.js';
import { ConsolePeopleModule } from './people/people.module.js';
import { ConsoleProfileModule } from './profile/profile.module.js';
import { ConsoleRepliesModule } from './replies/replies.module.js';
import { ConsoleSecurityModule } from './security/security.module.js';
import { ConsoleSystemModule } from './system/system.module.js';
import { ConsoleTimeModule } from './time/time.module.js';
import { ConsoleTwoFactorModule } from './two-factor/two-factor.module.js';
import { ConsoleViewsModule } from './views/views.module.js';
import { ConsoleWebhooksModule } from './webhooks/webhooks.module.js';

/** The pages that agents work in. The sidebar shows them in this order. */
@Module({
  imports: [
    ConsoleInboxModule,
    ConsoleViewsModule,
    ConsoleCustomersModule,
    ConsoleHeldMailModule,
    ConsolePeopleModule,
    ConsoleMailboxModule,
    ConsoleWebhooksModule,
    ConsoleApplicationsModule,
    ConsoleEventsModule,
    ConsoleRepliesModule,
    ConsoleMailsModule,
    ConsoleTimeModule,
    ConsoleSecurityModule,
    ConsoleSystemModule,
    ConsoleProfileModule,
    ConsoleTwoFactorModule,
    LiveModule,
  ],
})
export class ConsoleModule {}
