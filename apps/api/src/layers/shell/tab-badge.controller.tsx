import { Get } from '@nestjs/common';
import type { PageContent } from '../ui/page-response.js';
import { ConsolePages } from './console-pages.decorator.js';
import { TabBadge } from './tab-badge.js';

/** For hidden tabs, which show only their title and icon. */
@ConsolePages('live/unread')
export class TabBadgeController {
  @Get()
  show(): PageContent {
    return { view: <TabBadge /> };
  }
}
