import type { ModuleMetadata } from '@nestjs/common';
import { LiveStreamsService } from './live-streams.service.js';
import { LiveUpdatesService } from './live-updates.service.js';
import { LiveController } from './live.controller.js';
import { LongPollsService } from './long-polls.service.js';
import { PresencesService } from './presences.service.js';
import { TopicsService } from './topics.service.js';

export const LIVE_PARTS = {
  controllers: [LiveController],
  providers: [LiveStreamsService, LiveUpdatesService, LongPollsService, PresencesService, TopicsService],
} satisfies ModuleMetadata;
