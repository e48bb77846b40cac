import { TIME_ZONES, TimeZonesService } from '#libs/tickets';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FormFields } from '../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { SelectField, toChoices } from '../ui/parts/fields.js';
import { Form, FormAlert } from '../ui/parts/form.js';
import { Me } from '../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, submitForm } from '../shell/form-submission.js';
import { PageLayout } from '../shell/shell.js';

const PATH = '/settings/time';

@Controller(PATH)
@ConsolePages({ audience: 'managers', navigation: { group: 'Settings', label: 'Time zone', icon: 'clock' } })
export class TimeController {
  constructor(private readonly timeZones: TimeZonesService) {}

  @Get()
  async show(@Me() me: Me): Promise<PageContent> {
    return { view: <TimePage timeZone={(await this.timeZones.read(me)).ofAccount} /> };
  }

  @Post()
  change(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me) }, async () => {
      await this.timeZones.setForAccount(actingOf(me), new FormFields(body).text('time_zone'));
      return redirectWithNotice(PATH, 'Saved.');
    });
  }
}

function TimePage({ timeZone }: { timeZone: string }) {
  return (
    <PageLayout title="Time zone" intro="The time zone of the times in the console." narrow>
      <FormAlert />
      <Form action={PATH} class="card stack" label="Time zone of the account">
        <SelectField
          label="Time zone of the account"
          name="time_zone"
          choices={toChoices(TIME_ZONES)}
          value={timeZone}
        />
        <p class="quiet">
          Each agent can choose another one in their <a href="/profile">profile</a>. The API, webhooks and mails use
          UTC.
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
