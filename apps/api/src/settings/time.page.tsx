import { type ChosenTimeZones, TIME_ZONES } from '#libs/tickets';
import { SelectField, toChoices } from '../ui/parts/fields.js';
import { Form, FormAlert } from '../ui/parts/form.js';
import { PageLayout } from '../shell/shell.js';

export function TimePage({ chosen: { ofAccount } }: { chosen: ChosenTimeZones }) {
  return (
    <PageLayout title="Time zone" intro="In which these pages show times." narrow>
      <FormAlert />
      <Form action="/settings/time" class="card stack" label="Time zone of the account">
        <SelectField
          label="Time zone of the account"
          name="time_zone"
          choices={toChoices(TIME_ZONES)}
          value={ofAccount}
        />
        <p class="quiet">
          Everybody can choose another in their <a href="/profile">profile</a>. The API, webhooks and mails say their
          times in UTC.
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
