import type { ModuleMetadata } from '@nestjs/common';
import { AttachmentsController } from './attachments.controller.js';
import { DownloadsController } from './downloads.controller.js';
import { InlineFilesController } from './inline-files.controller.js';

export const ATTACHMENTS_PARTS = {
  controllers: [AttachmentsController, DownloadsController, InlineFilesController],
} satisfies ModuleMetadata;
