import type { ModuleMetadata } from '@nestjs/common';
import { ChangesController } from './changes.controller.js';

export const CHANGES_PARTS = { controllers: [ChangesController] } satisfies ModuleMetadata;
