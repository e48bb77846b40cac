import { TWO_FACTOR_REQUIREMENT_WORDS, type TwoFactorRequirement } from '#libs/entities';
import { SelectField } from '../ui/parts/fields.js';
import { Form, FormAlert } from '../ui/parts/form.js';
import { PageLayout } from '../shell/shell.js';

const CHOICES = Object.entries(TWO_FACTOR_REQUIREMENT_WORDS).map(([value, label]) => ({ value, label }));

export function SecurityPage({ requirement }: { requirement: TwoFactorRequirement }) {
  return (
    <PageLayout title="Security" intro="How people sign in to this account." narrow>
      <FormAlert />
      <Form action="/settings/security/two-factor" class="card stack" label="Two-factor sign-in">
        <h2>Two-factor sign-in</h2>
        <p>
          Whoever needs it and has not set it up is asked to do so after the password, also where they are signed in
          already, and can do nothing else in the console before. <a href="/settings/agents">Agents</a> says who has it.
        </p>
        <SelectField label="Required for" name="requirement" choices={CHOICES} value={requirement} />
        <p class="quiet">
          Access tokens and connected apps go on working. New ones can only be made by people who have set it up.
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
