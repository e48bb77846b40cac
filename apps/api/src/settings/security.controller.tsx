import { TwoFactorRequirementService } from '#libs/access';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FormFields } from '../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { Me } from '../sign-in/session.guard.js';
import { actingOf, submitForm } from '../shell/form-submission.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { SecurityPage } from './security.page.js';

const PATH = '/settings/security';

@Controller(PATH)
@ConsolePages({ audience: 'owner', navigation: { group: 'Settings', label: 'Security', icon: 'key' } })
export class SecurityController {
  constructor(private readonly requirement: TwoFactorRequirementService) {}

  @Get()
  async show(@Me() me: Me): Promise<PageContent> {
    return { view: <SecurityPage requirement={await this.requirement.read(me.accountId)} /> };
  }

  @Post('two-factor')
  setRequirement(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me) }, async () => {
      await this.requirement.set(actingOf(me), new FormFields(body).text('requirement'));
      return redirectWithNotice(PATH, 'Saved.');
    });
  }
}
