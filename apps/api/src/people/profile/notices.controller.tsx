import { ReplyNoticesService } from '#libs/mailboxes';
import { Body, Controller, Post } from '@nestjs/common';
import { type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../../shell/form-submission.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';

/** What an agent is mailed. */
@Controller('profile/notices')
@ConsolePages()
export class NoticesController {
  constructor(private readonly notices: ReplyNoticesService) {}

  /** Browsers do not send an unticked box. */
  @Post()
  async set(@Me() me: Me, @Body() body: Readonly<Record<string, unknown>>): Promise<PageResponse> {
    await this.notices.set(actingOf(me), body['replies'] === 'on');
    return redirectWithNotice('/profile', 'Saved.');
  }
}
