import { type ChosenTimeZones, TIME_ZONES } from '#libs/tickets';
import { usePageContext } from '../../ui/page-context.js';
import { Field, SelectField, toChoices } from '../../ui/parts/fields.js';
import { Form } from '../../ui/parts/form.js';
import { ExactTime } from '../../ui/parts/relative-time.js';

export function NameForm() {
  const { me } = usePageContext();
  return (
    <Form action="/profile" class="card stack" label="Name">
      <h2>Name</h2>
      <Field label="First name" name="first_name" required value={me.firstName} autocomplete="given-name" />
      <Field label="Last name" name="last_name" required value={me.lastName} autocomplete="family-name" />
      <div>
        <button type="submit">Save name</button>
      </div>
    </Form>
  );
}

export function SignatureForm({ signature }: { signature: string }) {
  return (
    <Form action="/profile/signature" class="card stack" label="Signature">
      <h2>Signature</h2>
      <Field
        label="Below your replies in mails"
        name="signature"
        value={signature}
        hint="Without a signature, your name is used. {{agent}}, {{mailbox}} and {{account}} are replaced by names."
      >
        {(attributes, value) => <textarea {...attributes} rows={4} dir="auto" value={value} />}
      </Field>
      <div>
        <button type="submit">Save signature</button>
      </div>
    </Form>
  );
}

export function NoticesForm({ mailReplies }: { mailReplies: boolean }) {
  return (
    <Form action="/profile/notices" class="card stack" label="Mail to you">
      <h2>Mail to you</h2>
      <label class="check">
        <input type="checkbox" name="replies" value="on" checked={mailReplies} />
        <span>When a customer replies to a ticket assigned to you</span>
      </label>
      <p class="hint">
        From mailboxes that mail replies. You can reply to such a mail: your reply goes to the customer once the
        mailbox’s server has verified you as the sender.
      </p>
      <div>
        <button type="submit">Save mail settings</button>
      </div>
    </Form>
  );
}

export function PasswordForm() {
  return (
    <Form action="/profile/password" class="card stack" label="Password">
      <h2>Password</h2>
      <Field label="Current password" name="current" type="password" required autocomplete="current-password" />
      <Field
        label="New password"
        name="password"
        type="password"
        required
        autocomplete="new-password"
        hint="At least 10 characters. Every other session is signed out."
      />
      <div>
        <button type="submit">Change password</button>
      </div>
    </Form>
  );
}

const THEME_CHOICES = [
  { value: 'system', label: 'same as the system' },
  { value: 'light', label: 'light' },
  { value: 'dark', label: 'dark' },
] as const;

const DENSITY_CHOICES = [
  { value: 'comfortable', label: 'comfortable' },
  { value: 'compact', label: 'compact: more tickets on a screen' },
] as const;

const AFTER_SENDING_CHOICES = [
  { value: 'stay', label: 'stay on the ticket' },
  { value: 'next', label: 'go to the next ticket' },
  { value: 'back', label: 'go back to the list' },
] as const;

export function PreferencesForm() {
  const { me, preferences } = usePageContext();
  const { theme, shortcuts, afterSending } = preferences;
  return (
    <Form action="/profile/preferences" class="card stack" label="Pages">
      <h2>Pages</h2>
      <SelectField
        label="List of tickets"
        name="density"
        choices={DENSITY_CHOICES}
        value={me.compactList ? 'compact' : 'comfortable'}
        hint="Applies to every device. The settings below apply to this browser."
      />
      <SelectField label="Theme" name="theme" choices={THEME_CHOICES} value={theme} />
      <SelectField label="After sending" name="after" choices={AFTER_SENDING_CHOICES} value={afterSending} />
      <label class="check">
        <input type="checkbox" name="shortcuts" value="on" checked={shortcuts} />
        <span>Keyboard shortcuts</span>
      </label>
      <div>
        <button type="submit">Save</button>
      </div>
    </Form>
  );
}

export function TimeZoneForm({ chosen: { ofAccount, own } }: { chosen: ChosenTimeZones }) {
  const { now } = usePageContext();
  const choices = [{ value: '', label: `account default: ${ofAccount}` }, ...toChoices(TIME_ZONES)];
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
