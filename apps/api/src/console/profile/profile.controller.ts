import { Clock } from '#libs/database';
import { AgentsService } from '#libs/desk';
import { Body, Controller, Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ChangeAgentDto } from '../../rest/agents/dto/agent.dto.js';
import { Cookies } from '../../pages/cookies.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { NO_FORM_ERRORS, actingOf } from '../form-submission.js';
import type { PageResponse } from '../../pages/page-response.js';
import { parsePreferences, writePreferences } from '../../pages/preferences.js';
import { ConsolePasswordService } from './password.service.js';
import { ProfileReader } from './profile.reader.js';

const YEAR_MS = 365 * 86_400_000;

@Controller('profile')
@ConsolePages()
export class ConsoleProfileController {
  constructor(
    private readonly reader: ProfileReader,
    private readonly agents: AgentsService,
    private readonly cookies: Cookies,
    private readonly clock: Clock,
  ) {}

  @Get()
  show(@Me() me: Me): Promise<PageResponse> {
    return this.reader.page(me, NO_FORM_ERRORS);
  }

  @Post()
  async rename(@Me() me: Me, @Body() { first_name, last_name }: ChangeAgentDto): Promise<PageResponse> {
    const names = { firstName: first_name ?? undefined, lastName: last_name ?? undefined };
    await this.agents.change(actingOf(me), me.agentId, names);
    return { redirect: '/profile', notice: { tone: 'good', text: 'Name saved.' } };
  }

  /** An unticked box is not sent. */
  @Post('preferences')
  setPreferences(@Body() body: Readonly<Record<string, unknown>>): PageResponse {
    const preferences = parsePreferences({ ...body, shortcuts: body['shortcuts'] ?? 'off' });
    const ends = this.clock.in(YEAR_MS);
    return {
      redirect: '/profile',
      cookies: [this.cookies.set('preferences', writePreferences(preferences), ends)],
      notice: { tone: 'good', text: 'Saved for this browser.' },
    };
  }
}

@Controller('profile/password')
@ConsolePages()
export class ConsolePasswordController {
  constructor(private readonly passwords: ConsolePasswordService) {}

  @Post()
  change(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageResponse> {
    return this.passwords.change(me, request);
  }
}
