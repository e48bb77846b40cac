import { DocsController } from './docs.controller.js';
import { OpenApiService } from './openapi.service.js';

export const REFERENCE = {
  controllers: [DocsController],
  providers: [OpenApiService],
};
