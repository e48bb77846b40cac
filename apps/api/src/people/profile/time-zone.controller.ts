import { TimeZonesService } from '#libs/tickets';
import { Body, Controller, Post } from '@nestjs/common';
import { FormFields } from '../../ui/form-fields.js';
import { type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';

@Controller('profile/time-zone')
@ConsolePages()
export class ProfileTimeZoneController {
  constructor(private readonly timeZones: TimeZonesService) {}

  @Post()
  async change(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    await this.timeZones.setOwn(me, new FormFields(body).text('time_zone'));
    return redirectWithNotice('/profile', 'Saved.');
  }
}
