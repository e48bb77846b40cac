import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { AssetsController } from './assets.controller.js';
import { ActivityRows } from './inbox/activity.rows.js';
import { BulkController } from './inbox/bulk.controller.js';
import { ChoicesReader } from './inbox/choices.js';
import { ComposerFlow } from './inbox/composer.flow.js';
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

/** The pages agents work in. */
@Module({
  imports: [DeskModule, SignInModule],
  controllers: [AssetsController, InboxController, BulkController, TicketDeedsController, LiveController],
  providers: [
    ActivityRows,
    ChoicesReader,
    ComposerFlow,
    InboxPages,
    InboxReader,
    LiveStreams,
    LiveUpdates,
    NewTicketFlow,
    Presences,
    ThreadReader,
    Topics,
  ],
})
export class ConsoleModule {}
