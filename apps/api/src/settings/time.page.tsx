import type { ChosenTimeZones } from '#libs/access';
import { TIME_ZONES } from '#libs/entities';
import { ExactTime } from '../ui/parts/relative-time.js';
import { SelectField, toChoices } from '../ui/parts/fields.js';
import { Form, FormAlert } from '../ui/parts/form.js';
import { usePageContext } from '../ui/page-context.js';
import { PageLayout } from '../shell/shell.js';

const CHOICES = toChoices(TIME_ZONES);

export function TimePage({ chosen: { ofAccount } }: { chosen: ChosenTimeZones }) {
  return (
    <PageLayout title="Time zone" intro="In which these pages show times." narrow>
      <FormAlert />
      <Form action="/settings/time" class="card stack" label="Time zone of the account">
        <SelectField label="Time zone of the account" name="time_zone" choices={CHOICES} value={ofAccount} />
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

/** On the profile. */
export function OwnTimeZoneForm({ chosen: { ofAccount, own } }: { chosen: ChosenTimeZones }) {
  const { now } = usePageContext();
  const choices = [{ value: '', label: `that of the account: ${ofAccount}` }, ...CHOICES];
  return (
    <Form action="/profile/time-zone" class="card stack" label="Time zone">
      <h2>Time zone</h2>
      <SelectField label="Times are shown in" name="time_zone" choices={choices} value={own ?? ''} />
      <p class="quiet">
        It is <ExactTime at={now} />.
      </p>
      <div>
        <button type="submit">Save time zone</button>
      </div>
    </Form>
  );
}
