import { TwoFactorRequirementService } from '#libs/access';
import { TWO_FACTOR_REQUIREMENT_WORDS, type TwoFactorRequirement } from '#libs/entities';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FormFields } from '../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { SelectField } from '../ui/parts/fields.js';
import { Form, FormAlert } from '../ui/parts/form.js';
import { Me } from '../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, submitForm } from '../shell/form-submission.js';
import { PageLayout } from '../shell/shell.js';

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

const CHOICES = Object.entries(TWO_FACTOR_REQUIREMENT_WORDS).map(([value, label]) => ({ value, label }));

function SecurityPage({ requirement }: { requirement: TwoFactorRequirement }) {
  return (
    <PageLayout title="Security" intro="How people sign in to this account." narrow>
      <FormAlert />
      <Form action={`${PATH}/two-factor`} class="card stack" label="Two-factor sign-in">
        <h2>Two-factor sign-in</h2>
        <p>
          People who must use it and have not set it up are asked to do so before they can continue, even if they are
          already signed in. <a href="/settings/agents">Agents</a> shows who has set it up.
        </p>
        <SelectField label="Required for" name="requirement" choices={CHOICES} value={requirement} />
        <p class="quiet">
          Existing access tokens and connected apps keep working. New ones require two-factor sign-in first.
        </p>
        <div>
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      </Form>
    </PageLayout>
  );
}
