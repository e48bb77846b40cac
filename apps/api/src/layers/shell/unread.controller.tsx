import { Get } from '@nestjs/common';
import type { PageContent } from '../ui/page-response.js';
import { ConsolePages } from './console-pages.decorator.js';
import { UnreadMark } from './sidebar.js';

/** For hidden tabs, which show only their title and icon. */
@ConsolePages('live/unread')
export class UnreadController {
  @Get()
  show(): PageContent {
    return { view: <UnreadMark /> };
  }
}
