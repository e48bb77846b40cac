import { usePageContext } from '../../pages/page-context.js';
import { type FieldErrors, Field, Form, SelectOptions } from '../../pages/parts/form.js';

export function NameForm({ faults }: { faults: FieldErrors }) {
  const { me } = usePageContext();
  return (
    <Form action="/profile" class="card stack" label="Name">
      <h2>Name</h2>
      <Field
        label="First name"
        name="first_name"
        required
        value={me.firstName}
        faults={faults}
        autocomplete="given-name"
      />
      <Field
        label="Last name"
        name="last_name"
        required
        value={me.lastName}
        faults={faults}
        autocomplete="family-name"
      />
      <div>
        <button type="submit">Save name</button>
      </div>
    </Form>
  );
}

export function PasswordForm({ faults }: { faults: FieldErrors }) {
  return (
    <Form action="/profile/password" class="card stack" label="Password">
      <h2>Password</h2>
      <Field
        label="Current password"
        name="current"
        type="password"
        required
        faults={faults}
        autocomplete="current-password"
      />
      <Field
        label="New password"
        name="password"
        type="password"
        required
        faults={faults}
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
  { value: 'system', label: 'as the system' },
  { value: 'light', label: 'light' },
  { value: 'dark', label: 'dark' },
] as const;

const AFTER_SENDING_CHOICES = [
  { value: 'stay', label: 'stay at the ticket' },
  { value: 'next', label: 'go to the next' },
  { value: 'back', label: 'go back to the list' },
] as const;

export function PreferencesForm() {
  const { theme, shortcuts, afterSending } = usePageContext().preferences;
  return (
    <Form action="/profile/preferences" class="card stack" label="This browser">
      <h2>This browser</h2>
      <Field label="Theme" name="theme">
        {(attributes) => (
          <select {...attributes}>
            <SelectOptions choices={THEME_CHOICES} chosen={theme} />
          </select>
        )}
      </Field>
      <Field label="After sending" name="after">
        {(attributes) => (
          <select {...attributes}>
            <SelectOptions choices={AFTER_SENDING_CHOICES} chosen={afterSending} />
          </select>
        )}
      </Field>
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
