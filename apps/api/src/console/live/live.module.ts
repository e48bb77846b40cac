import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { LiveStreams } from './live-streams.js';
import { LiveUpdates } from './live-updates.js';
import { ConsoleLiveController } from './live.controller.js';
import { Presences } from './presences.js';
import { Topics } from './topics.js';

/** Tells open pages what changed, and who else has a ticket open. */
@Module({
  imports: [ShellModule],
  controllers: [ConsoleLiveController],
  providers: [LiveStreams, LiveUpdates, Presences, Topics],
  exports: [Presences],
})
export class LiveModule {}
