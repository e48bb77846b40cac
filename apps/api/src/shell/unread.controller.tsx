import { Controller, Get } from '@nestjs/common';
import type { PageContent } from '../ui/page-response.js';
import { ConsolePages } from './console-pages.decorator.js';
import { UnreadMark } from './unread-mark.js';

/** For hidden tabs, which show nothing else. */
@Controller('live/unread')
@ConsolePages()
export class UnreadController {
  @Get()
  show(): PageContent {
    return { view: <UnreadMark /> };
  }
}
