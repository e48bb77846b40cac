import { RepliesController, SecurityController, TimeController } from './account-settings.controller.js';
import { SystemController } from './system.controller.js';

export const SETTINGS = {
  controllers: [RepliesController, SecurityController, TimeController, SystemController],
};
