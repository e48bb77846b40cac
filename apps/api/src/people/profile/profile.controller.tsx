import { ListDensityService } from '#libs/tickets';
import { Clock } from '#libs/database';
import { AgentsService } from '#libs/tickets';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { ChangeAgentDto } from '../agent.dto.js';
import { CookiesService } from '../../ui/cookies.service.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { FormFields } from '../../ui/form-fields.js';
import { actingOf, normalizeLineEndings, submitForm, validateDto } from '../../shell/form-submission.js';
import { type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { parsePreferences, writePreferences } from '../../ui/preferences.js';
import { ProfilePage } from './profile.page.js';
import { ProfileReader } from './profile.reader.js';

const YEAR_MS = 365 * 86_400_000;

@Controller('profile')
@ConsolePages()
export class ProfileController {
  constructor(
    private readonly reader: ProfileReader,
    private readonly agents: AgentsService,
    private readonly density: ListDensityService,
    private readonly cookies: CookiesService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@Me() me: Me): Promise<PageResponse> {
    return { view: <ProfilePage view={await this.reader.read(me)} /> };
  }

  @Post()
  async rename(@Me() me: Me, @Body() { first_name, last_name }: ChangeAgentDto): Promise<PageResponse> {
    const names = { firstName: first_name ?? undefined, lastName: last_name ?? undefined };
    await this.agents.change(actingOf(me), me.agentId, names);
    return redirectWithNotice('/profile', 'Name saved.');
  }

  @Post('signature')
  sign(@Me() me: Me, @Body() body: object): Promise<PageResponse> {
    const signature = normalizeLineEndings(new FormFields(body).text('signature'));
    return submitForm(
      { again: async () => ({ view: <ProfilePage view={await this.reader.read(me)} /> }) },
      async () => {
        const dto = await validateDto(ChangeAgentDto, { signature });
        await this.agents.change(actingOf(me), me.agentId, dto.toInput());
        return redirectWithNotice('/profile', 'Signature saved.');
      },
    );
  }

  /** Browsers do not send an unticked box. */
  @Post('preferences')
  async setPreferences(@Me() me: Me, @Body() body: Readonly<Record<string, unknown>>): Promise<PageResponse> {
    await this.density.set(me, body['density'] === 'compact');
    const preferences = parsePreferences({ ...body, shortcuts: body['shortcuts'] ?? 'off' });
    const ends = this.clock.in(YEAR_MS);
    const cookies = [this.cookies.set('preferences', writePreferences(preferences), ends)];
    return { ...redirectWithNotice('/profile', 'Saved.'), cookies };
  }
}
