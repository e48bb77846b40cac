import type { ModuleMetadata } from '@nestjs/common';
import { ThreadReader } from './index.js';
import { MessagePagesController } from './message-pages.controller.js';
import { MessagesController } from './messages.controller.js';

export const MESSAGES_PARTS = {
  controllers: [MessagePagesController, MessagesController],
  providers: [ThreadReader],
} satisfies ModuleMetadata;
