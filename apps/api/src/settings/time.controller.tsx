import { TimeZonesService } from '#libs/tickets';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FormFields } from '../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { Me } from '../sign-in/session.guard.js';
import { actingOf, submitForm } from '../shell/form-submission.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { TimePage } from './time.page.js';

const PATH = '/settings/time';

@Controller(PATH)
@ConsolePages({ audience: 'managers', navigation: { group: 'Settings', label: 'Time zone', icon: 'clock' } })
export class TimeController {
  constructor(private readonly timeZones: TimeZonesService) {}

  @Get()
  async show(@Me() me: Me): Promise<PageContent> {
    return { view: <TimePage chosen={await this.timeZones.read(me)} /> };
  }

  @Post()
  change(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me) }, async () => {
      await this.timeZones.setForAccount(actingOf(me), new FormFields(body).text('time_zone'));
      return redirectWithNotice(PATH, 'Saved.');
    });
  }
}
