import type { TwoFactorState } from '#libs/access';
import type { MailAbout } from '#libs/entities';
import { MAX_NOTICES, TIME_ZONES } from '#libs/tickets';
import { usePageContext } from '../../layers/ui/page-context.js';
import { Field, SelectField, choicesOf, toChoices } from '../../layers/ui/parts/fields.js';
import { FormAlert } from '../../layers/ui/parts/form.js';
import { FormCard } from '../../layers/ui/parts/form-card.js';
import { ExactTime } from '../../layers/ui/parts/relative-time.js';
import { TWO_FACTOR_PATH } from '../../layers/sign-in/sign-in-paths.js';
import { PageLayout } from '../../layers/shell/shell.js';
import { OnSince } from '../two-factor/two-factor.page.js';
import { AuthorisedApplicationsSection, PersonalTokensSection, SessionsSection } from './access-sections.js';
import type { ProfileView } from './profile.reader.js';

export function ProfilePage({ view }: { view: ProfileView }) {
  const { me } = usePageContext();
  return (
    <PageLayout title="Profile" narrow intro={`${me.email}, ${me.role} of ${me.account}`}>
      <FormAlert />
      <FormCard action="/profile" title="Name" submit="Save name">
        <Field label="First name" name="first_name" required value={me.firstName} autocomplete="given-name" />
        <Field label="Last name" name="last_name" required value={me.lastName} autocomplete="family-name" />
      </FormCard>
      <SignatureForm signature={view.signature} />
      <NoticesForm mailAbout={view.mailAbout} />
      <PasswordForm />
      <PreferencesForm />
      <TimeZoneForm view={view} />
      <TwoFactorSection state={view.twoFactor} />
      <SessionsSection sessions={view.sessions} current={view.currentSession} />
      <AuthorisedApplicationsSection applications={view.applications} />
      <PersonalTokensSection view={view} />
    </PageLayout>
  );
}

function SignatureForm({ signature }: { signature: string }) {
  return (
    <FormCard action="/profile/signature" title="Signature" submit="Save signature">
      <Field
        label="Added to your replies by email"
        name="signature"
        value={signature}
        hint="If empty, your name is used. {{agent}}, {{mailbox}} and {{account}} are replaced by names."
      >
        {(attributes, value) => <textarea {...attributes} rows={4} dir="auto" value={value} />}
      </Field>
    </FormCard>
  );
}

const MAILS = choicesOf({
  replies: 'When a customer replies to a ticket assigned to you',
  assigned: 'When a ticket is assigned to you',
  mentions: 'When a note mentions you',
  groups: 'When a ticket is assigned to one of your groups',
} satisfies Record<MailAbout, string>);

function NoticesForm({ mailAbout }: { mailAbout: readonly string[] }) {
  return (
    <FormCard action="/profile/notices" title="Email notifications" submit="Save notifications">
      {MAILS.map(({ value, label }) => (
        <label class="check" key={value}>
          <input type="checkbox" name="about[]" value={value} checked={mailAbout.includes(value)} />
          <span>{label}</span>
        </label>
      ))}
      <p class="quiet small">
        Sent by mailboxes that send replies by email. You can answer a customer’s reply by email: your answer goes to
        the customer once the mailbox’s server has verified you as the sender. Replies to the other notifications do not
        reach the customer, and at most {MAX_NOTICES} of them are sent per hour.
      </p>
    </FormCard>
  );
}

function PasswordForm() {
  return (
    <FormCard action="/profile/password" title="Password" submit="Change password">
      <Field label="Current password" name="current" type="password" required autocomplete="current-password" />
      <Field
        label="New password"
        name="password"
        type="password"
        required
        autocomplete="new-password"
        hint="At least 10 characters. Every other session is signed out."
      />
    </FormCard>
  );
}

const THEMES = choicesOf({ system: 'Match system', light: 'Light', dark: 'Dark' });

const AFTER_SENDING = choicesOf({
  stay: 'Stay on the ticket',
  next: 'Go to the next ticket',
  back: 'Go back to the list',
});

function PreferencesForm() {
  const { preferences } = usePageContext();
  const { theme, shortcuts, afterSending, takesReplied, nextAfterClosing } = preferences;
  return (
    <FormCard action="/profile/preferences" title="Appearance" submit="Save">
      <SelectField label="Theme" name="theme" choices={THEMES} value={theme} />
      <SelectField label="After sending" name="after" choices={AFTER_SENDING} value={afterSending} />
      <label class="check">
        <input type="checkbox" name="take" value="on" checked={takesReplied} />
        <span>Assign unassigned tickets to me when I reply</span>
      </label>
      <label class="check">
        <input type="checkbox" name="closing" value="next" checked={nextAfterClosing} />
        <span>Open the next ticket after closing</span>
      </label>
      <label class="check">
        <input type="checkbox" name="shortcuts" value="on" checked={shortcuts} />
        <span>Keyboard shortcuts</span>
      </label>
    </FormCard>
  );
}

function TimeZoneForm({ view: { accountTimeZone, ownTimeZone } }: { view: ProfileView }) {
  const { now } = usePageContext();
  const choices = [{ value: '', label: `Account default (${accountTimeZone})` }, ...toChoices(TIME_ZONES)];
  return (
    <FormCard action="/profile/time-zone" title="Time zone" submit="Save time zone">
      <SelectField label="Times are shown in" name="time_zone" choices={choices} value={ownTimeZone ?? ''} />
      <p class="quiet">
        It is <ExactTime at={now} />.
      </p>
    </FormCard>
  );
}

function TwoFactorSection({ state }: { state: TwoFactorState }) {
  return (
    <section class="stack" aria-labelledby="two-factor">
      <div class="row apart">
        <h2 id="two-factor">Two-factor sign-in</h2>
        <a class="button" href={TWO_FACTOR_PATH}>
          {state.kind === 'on' ? 'Change' : 'Set up'}
        </a>
      </div>
      {state.kind === 'on' ? (
        <OnSince since={state.since} left={state.recoveryCodesLeft} />
      ) : (
        <p class="quiet">Off. Anyone who learns your password can sign in as you.</p>
      )}
    </section>
  );
}
