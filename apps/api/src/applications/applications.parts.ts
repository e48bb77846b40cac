import type { ModuleMetadata } from '@nestjs/common';
import { ApplicationsController } from './applications.controller.js';
import { OwnApplicationsController } from './own-applications.controller.js';

export const APPLICATIONS_PARTS = {
  controllers: [ApplicationsController, OwnApplicationsController],
} satisfies ModuleMetadata;
