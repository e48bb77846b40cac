import type { ModuleMetadata } from '@nestjs/common';
import { ApplicationsController } from './applications.controller.js';

export const APPLICATIONS_PARTS = {
  controllers: [ApplicationsController],
} satisfies ModuleMetadata;
