import type { ModuleMetadata } from '@nestjs/common';
import { DocsController } from './docs.controller.js';
import { OpenApiService } from './openapi.service.js';
import { WellKnownFilesController } from './well-known-files.controller.js';

export const REFERENCE_PARTS = {
  controllers: [DocsController, WellKnownFilesController],
  providers: [OpenApiService],
} satisfies ModuleMetadata;
