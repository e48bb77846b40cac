import { Controller, Get } from '@nestjs/common';
import type { PageContent } from '../../pages/page-response.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { UnreadMark } from '../shell/unread-mark.js';

/** For hidden tabs, which show nothing else. */
@Controller('live/unread')
@ConsolePages()
export class ConsoleUnreadController {
  @Get()
  show(): PageContent {
    return { view: <UnreadMark /> };
  }
}
