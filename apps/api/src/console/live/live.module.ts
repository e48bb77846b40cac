import { Module } from '@nestjs/common';
import { HttpModule } from '../../http/http.module.js';
import { ShellModule } from '../shell/shell.module.js';
import { LiveStreams } from './live-streams.js';
import { LiveUpdates } from './live-updates.js';
import { ConsoleLiveController } from './live.controller.js';
import { Presences } from './presences.js';
import { PageViewers } from './page-viewers.js';
import { ConsoleUnreadController } from './unread.controller.js';
import { StreamHeartbeat } from './stream-heartbeat.js';

/** Tells open pages what changed, and who else has a ticket open. */
@Module({
  imports: [HttpModule, ShellModule],
  controllers: [ConsoleLiveController, ConsoleUnreadController],
  providers: [LiveStreams, LiveUpdates, PageViewers, Presences, StreamHeartbeat],
  exports: [LiveUpdates, Presences],
})
export class LiveModule {}
