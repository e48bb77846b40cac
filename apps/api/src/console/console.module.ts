import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { InvitationsModule } from '../sign-in/invitations.module.js';
import { Backlog, WebhooksModule } from '#libs/webhooks';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { ApplicationsPages } from './applications/applications.controller.js';
import { ApplicationsReader } from './applications/applications.reader.js';
import { AssetsController } from '../pages/assets.controller.js';
import { CustomersPagesController } from './customers/customers.controller.js';
import { CustomersFlow } from './customers/customers.flow.js';
import { AuditPages } from './events/audit.controller.js';
import { AuditRows } from './events/audit.rows.js';
import { ActivityRows } from './inbox/activity.rows.js';
import { AttachmentPages } from './inbox/attachments.controller.js';
import { BulkController } from './inbox/bulk.controller.js';
import { ChoicesReader } from './inbox/choices.js';
import { ComposerFlow } from './inbox/composer.flow.js';
import { Enclosures } from './inbox/enclosures.js';
import { InboxController } from './inbox/inbox.controller.js';
import { InboxPages } from './inbox/inbox.pages.js';
import { InboxReader } from './inbox/inbox.reader.js';
import { NewTicketFlow } from './inbox/new-ticket.flow.js';
import { ThreadReader } from './inbox/thread.reader.js';
import { TicketDeedsController } from './inbox/ticket-deeds.controller.js';
import { LiveController } from './live/live.controller.js';
import { LiveStreams } from './live/live-streams.js';
import { LiveUpdates } from './live/live-updates.js';
import { Presences } from './live/presences.js';
import { Topics } from './live/topics.js';
import { AgentsPages } from './people/agents.pages.js';
import { GroupsPages } from './people/groups.pages.js';
import { MailboxesPages } from './people/mailboxes.pages.js';
import { PeopleRows } from './people/people.rows.js';
import { OwnApplicationsController, SessionsController, TokensController } from './profile/access.controller.js';
import { OwnPasswordFlow } from './profile/password.flow.js';
import { OwnPasswordController, ProfileController } from './profile/profile.controller.js';
import { ProfileReader } from './profile/profile.reader.js';
import { OwnTraffic } from './system/own-traffic.js';
import { SystemExamination, SystemPages } from './system/system.pages.js';
import { DeliveryPagesController, ReplaysPagesController } from './webhooks/deliveries.controller.js';
import { WebhookStats } from './webhooks/webhook-stats.js';
import { WebhookPagesController, WebhookSecretsPages } from './webhooks/webhook.controller.js';
import { WebhookPages } from './webhooks/webhook.pages.js';
import { WebhooksPagesController } from './webhooks/webhooks.controller.js';
import { WebhooksPages } from './webhooks/webhooks.pages.js';

/** The pages agents work in. */
@Module({
  imports: [DeskModule, InvitationsModule, SignInModule, WebhooksModule],
  controllers: [
    AssetsController,
    LiveController,
    InboxController,
    BulkController,
    TicketDeedsController,
    CustomersPagesController,
    AgentsPages,
    ApplicationsPages,
    AttachmentPages,
    AuditPages,
    SystemPages,
    GroupsPages,
    MailboxesPages,
    ProfileController,
    OwnPasswordController,
    OwnApplicationsController,
    SessionsController,
    TokensController,
    WebhooksPagesController,
    WebhookPagesController,
    WebhookSecretsPages,
    ReplaysPagesController,
    DeliveryPagesController,
  ],
  providers: [
    ActivityRows,
    ApplicationsReader,
    AuditRows,
    Backlog,
    ChoicesReader,
    ComposerFlow,
    CustomersFlow,
    Enclosures,
    InboxPages,
    InboxReader,
    LiveStreams,
    LiveUpdates,
    NewTicketFlow,
    OwnPasswordFlow,
    OwnTraffic,
    PeopleRows,
    Presences,
    ProfileReader,
    SystemExamination,
    ThreadReader,
    Topics,
    WebhookPages,
    WebhookStats,
    WebhooksPages,
  ],
})
export class ConsoleModule {}
