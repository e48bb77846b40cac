import { ListDensityService, TimeZonesService } from '#libs/tickets';
import { Clock } from '#libs/database';
import { ReplyNoticesService } from '#libs/mailboxes';
import { Body, Controller, Post } from '@nestjs/common';
import { CookiesService } from '../../ui/cookies.service.js';
import { FormFields } from '../../ui/form-fields.js';
import { type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { parsePreferences, writePreferences } from '../../ui/preferences.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { actingOf } from '../../shell/form-submission.js';

const YEAR_MS = 365 * 86_400_000;

@Controller('profile')
@ConsolePages()
export class PreferencesController {
  constructor(
    private readonly density: ListDensityService,
    private readonly notices: ReplyNoticesService,
    private readonly timeZones: TimeZonesService,
    private readonly cookies: CookiesService,
    private readonly clock: Clock,
  ) {}

  @Post('preferences')
  async setPreferences(@Me() me: Me, @Body() body: Readonly<Record<string, unknown>>): Promise<PageResponse> {
    await this.density.set(me, body['density'] === 'compact');
    // Browsers do not send an unticked box.
    const preferences = parsePreferences({ ...body, shortcuts: body['shortcuts'] ?? 'off' });
    const cookies = [this.cookies.set('preferences', writePreferences(preferences), this.clock.in(YEAR_MS))];
    return { ...redirectWithNotice('/profile', 'Saved.'), cookies };
  }

  @Post('notices')
  async setNotices(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    await this.notices.set(actingOf(me), new FormFields(body).text('replies') === 'on');
    return redirectWithNotice('/profile', 'Saved.');
  }

  @Post('time-zone')
  async setTimeZone(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    await this.timeZones.setOwn(me, new FormFields(body).text('time_zone'));
    return redirectWithNotice('/profile', 'Saved.');
  }
}
