import type { ModuleMetadata } from '@nestjs/common';
import { RepliesController, SecurityController, TimeController } from './account-settings.controller.js';
import { SystemController } from './system.controller.js';

export const SETTINGS_PARTS = {
  controllers: [RepliesController, SecurityController, TimeController, SystemController],
} satisfies ModuleMetadata;
