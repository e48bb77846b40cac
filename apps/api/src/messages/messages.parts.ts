import { ThreadReader } from './index.js';
import { MessagePagesController } from './message-pages.controller.js';
import { MessagesController } from './messages.controller.js';

export const MESSAGES = {
  controllers: [MessagePagesController, MessagesController],
  providers: [ThreadReader],
};
