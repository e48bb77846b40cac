import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { InvitationsModule } from '../sign-in/invitations.module.js';
import { BacklogService, WebhooksModule } from '#libs/webhooks';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { ConsoleApplicationsController } from './applications/applications.controller.js';
import { ApplicationsReader } from './applications/applications.reader.js';
import { AssetsController } from '../pages/assets.controller.js';
import { ConsoleCustomersController } from './customers/customers.controller.js';
import { ConsoleCustomersService } from './customers/customers.service.js';
import { ConsoleAuditController } from './events/audit.controller.js';
import { AuditReader } from './events/audit.reader.js';
import { ActivityReader } from './inbox/activity.reader.js';
import { ConsoleAttachmentsController } from './inbox/attachments.controller.js';
import { ConsoleBulkActionsController } from './inbox/bulk-actions.controller.js';
import { TicketChoicesReader } from './inbox/ticket-choices.reader.js';
import { ConsoleComposerService } from './inbox/composer.service.js';
import { MessageWithAttachmentsService } from './inbox/message-with-attachments.service.js';
import { ConsoleInboxController } from './inbox/inbox.controller.js';
import { ConsoleInboxService } from './inbox/inbox.service.js';
import { InboxReader } from './inbox/inbox.reader.js';
import { ConsoleNewTicketService } from './inbox/new-ticket.service.js';
import { ThreadReader } from './inbox/thread.reader.js';
import { ConsoleTicketActionsController } from './inbox/ticket-actions.controller.js';
import { ConsoleLiveController } from './live/live.controller.js';
import { LiveStreams } from './live/live-streams.js';
import { LiveUpdates } from './live/live-updates.js';
import { Presences } from './live/presences.js';
import { Topics } from './live/topics.js';
import { ConsoleAgentsController } from './people/agents.controller.js';
import { ConsoleGroupsController } from './people/groups.controller.js';
import { ConsoleMailboxesController } from './people/mailboxes.controller.js';
import { PeopleReader } from './people/people.reader.js';
import {
  ConsoleOwnApplicationsController,
  ConsoleSessionsController,
  ConsolePersonalTokensController,
} from './profile/profile-access.controller.js';
import { ConsolePasswordService } from './profile/password.service.js';
import { ConsolePasswordController, ConsoleProfileController } from './profile/profile.controller.js';
import { ProfileReader } from './profile/profile.reader.js';
import { AccountTrafficReader } from './system/account-traffic.reader.js';
import { SystemReader, ConsoleSystemController } from './system/system.controller.js';
import { ConsoleDeliveryController, ConsoleReplaysController } from './webhooks/delivery.controller.js';
import { WebhookStatsReader } from './webhooks/webhook-stats.reader.js';
import {
  ConsoleWebhookDetailController,
  ConsoleWebhookSecretsController,
} from './webhooks/webhook-detail.controller.js';
import { WebhookDetailReader } from './webhooks/webhook-detail.reader.js';
import { ConsoleWebhookListController } from './webhooks/webhook-list.controller.js';
import { ConsoleWebhookListService } from './webhooks/webhook-list.service.js';

/** The pages agents work in. */
@Module({
  imports: [DeskModule, InvitationsModule, SignInModule, WebhooksModule],
  controllers: [
    AssetsController,
    ConsoleLiveController,
    ConsoleInboxController,
    ConsoleBulkActionsController,
    ConsoleTicketActionsController,
    ConsoleCustomersController,
    ConsoleAgentsController,
    ConsoleApplicationsController,
    ConsoleAttachmentsController,
    ConsoleAuditController,
    ConsoleSystemController,
    ConsoleGroupsController,
    ConsoleMailboxesController,
    ConsoleProfileController,
    ConsolePasswordController,
    ConsoleOwnApplicationsController,
    ConsoleSessionsController,
    ConsolePersonalTokensController,
    ConsoleWebhookListController,
    ConsoleWebhookDetailController,
    ConsoleWebhookSecretsController,
    ConsoleReplaysController,
    ConsoleDeliveryController,
  ],
  providers: [
    ActivityReader,
    ApplicationsReader,
    AuditReader,
    BacklogService,
    TicketChoicesReader,
    ConsoleComposerService,
    ConsoleCustomersService,
    MessageWithAttachmentsService,
    ConsoleInboxService,
    InboxReader,
    LiveStreams,
    LiveUpdates,
    ConsoleNewTicketService,
    ConsolePasswordService,
    AccountTrafficReader,
    PeopleReader,
    Presences,
    ProfileReader,
    SystemReader,
    ThreadReader,
    Topics,
    WebhookDetailReader,
    WebhookStatsReader,
    ConsoleWebhookListService,
  ],
})
export class ConsoleModule {}
