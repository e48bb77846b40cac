import { TwoFactorService } from '#libs/access';
import { TWO_FACTOR_REQUIREMENT_WORDS, UNDO_SECONDS } from '#libs/entities';
import { PreferencesService, TIME_ZONES } from '#libs/tickets';
import { Body, Get, Post } from '@nestjs/common';
import { FormFields } from '../layers/ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../layers/ui/page-response.js';
import { SelectField, choicesOf, toChoices } from '../layers/ui/parts/fields.js';
import { FormAlert } from '../layers/ui/parts/form.js';
import { FormCard } from '../layers/ui/parts/form-card.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { submitForm } from '../layers/shell/form-submission.js';
import { PageLayout } from '../layers/shell/shell.js';

const REPLIES_PATH = '/settings/replies';

const DELAYS = UNDO_SECONDS.map((seconds) => ({
  value: String(seconds),
  label: seconds === 0 ? 'Send immediately' : `${seconds} seconds`,
}));

@ConsolePages(REPLIES_PATH, 'managers', { group: 'Account', label: 'Replies', icon: 'leave' })
export class RepliesController {
  constructor(private readonly preferences: PreferencesService) {}

  @Get()
  async show(@Me() me: Me): Promise<PageContent> {
    const { assistantsMaySend, undoSendSeconds } = await this.preferences.read(me);
    const view = (
      <PageLayout title="Replies" intro="How replies are sent." narrow>
        <FormAlert />
        <FormCard action={REPLIES_PATH} title="Undo send" submit="Save" submitClass="primary">
          <p>Replies are sent after a delay. Until then, the author can undo them and no one is notified.</p>
          <SelectField label="Delay" name="seconds" choices={DELAYS} value={String(undoSendSeconds)} />
          <p class="quiet">Notes are added immediately, and so are replies of programs.</p>
        </FormCard>
        <FormCard action={`${REPLIES_PATH}/assistants`} title="Assistants" submit="Save permission">
          <label class="check">
            <input type="checkbox" name="send" value="on" checked={assistantsMaySend} />
            <span>Assistants may send replies</span>
          </label>
          <p class="quiet">Otherwise they only write drafts. Their replies wait for the delay above.</p>
        </FormCard>
      </PageLayout>
    );
    return { view };
  }

  @Post()
  change(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me) }, async () => {
      await this.preferences.setUndoSending(actingOf(me), new FormFields(body).text('seconds'));
      return redirectWithNotice(REPLIES_PATH, 'Saved.');
    });
  }

  @Post('assistants')
  async allowAssistants(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    await this.preferences.setAssistantsSending(actingOf(me), new FormFields(body).text('send') === 'on');
    return redirectWithNotice(REPLIES_PATH, 'Saved.');
  }
}

const SECURITY_PATH = '/settings/security';

const REQUIREMENTS = choicesOf(TWO_FACTOR_REQUIREMENT_WORDS);

@ConsolePages(SECURITY_PATH, 'owner', { group: 'Account', label: 'Security', icon: 'key' })
export class SecurityController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Get()
  async show(@Me() me: Me): Promise<PageContent> {
    const requirement = await this.twoFactor.requirement(me.accountId);
    const view = (
      <PageLayout title="Security" intro="How people sign in to this account." narrow>
        <FormAlert />
        <FormCard action={`${SECURITY_PATH}/two-factor`} title="Two-factor sign-in" submit="Save" submitClass="primary">
          <p>
            People who must use it and have not set it up are asked to do so before they can continue, even if they are
            already signed in. <a href="/settings/agents">Agents</a> shows who has set it up.
          </p>
          <SelectField label="Required for" name="requirement" choices={REQUIREMENTS} value={requirement} />
          <p class="quiet">
            Existing access tokens and connected apps keep working. New ones require two-factor sign-in first.
          </p>
        </FormCard>
      </PageLayout>
    );
    return { view };
  }

  @Post('two-factor')
  setRequirement(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me) }, async () => {
      await this.twoFactor.require(actingOf(me), new FormFields(body).text('requirement'));
      return redirectWithNotice(SECURITY_PATH, 'Saved.');
    });
  }
}

const TIME_PATH = '/settings/time';

@ConsolePages(TIME_PATH, 'managers', { group: 'Account', label: 'Time zone', icon: 'clock' })
export class TimeController {
  constructor(private readonly preferences: PreferencesService) {}

  @Get()
  async show(@Me() me: Me): Promise<PageContent> {
    const { accountTimeZone } = await this.preferences.read(me);
    const title = 'Time zone of the account';
    const view = (
      <PageLayout title="Time zone" intro="Time zone used across Deskwire." narrow>
        <FormAlert />
        <FormCard action={TIME_PATH} title={title} hasHeading={false} submit="Save" submitClass="primary">
          <SelectField label={title} name="time_zone" choices={toChoices(TIME_ZONES)} value={accountTimeZone} />
          <p class="quiet">
            Each agent can choose another one in their <a href="/profile">profile</a>. The API, webhooks and emails use
            UTC.
          </p>
        </FormCard>
      </PageLayout>
    );
    return { view };
  }

  @Post()
  change(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me) }, async () => {
      await this.preferences.setAccountTimeZone(actingOf(me), new FormFields(body).text('time_zone'));
      return redirectWithNotice(TIME_PATH, 'Saved.');
    });
  }
}
