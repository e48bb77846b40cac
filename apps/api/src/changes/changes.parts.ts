import type { ModuleMetadata } from '@nestjs/common';
import { ChangeWaitsService } from './change-waits.service.js';
import { ChangesController } from './changes.controller.js';

export const CHANGES_PARTS = {
  controllers: [ChangesController],
  providers: [ChangeWaitsService],
} satisfies ModuleMetadata;
