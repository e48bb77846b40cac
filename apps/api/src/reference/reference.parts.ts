import type { ModuleMetadata } from '@nestjs/common';
import { DocsController } from './docs.controller.js';
import { OpenApiService } from './openapi.service.js';

export const REFERENCE_PARTS = {
  controllers: [DocsController],
  providers: [OpenApiService],
} satisfies ModuleMetadata;
