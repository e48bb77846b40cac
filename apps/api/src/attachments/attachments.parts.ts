import { AttachmentsController } from './attachments.controller.js';
import { DownloadsController } from './downloads.controller.js';
import { InlineFilesController } from './inline-files.controller.js';

export const ATTACHMENTS = {
  controllers: [AttachmentsController, DownloadsController, InlineFilesController],
};
