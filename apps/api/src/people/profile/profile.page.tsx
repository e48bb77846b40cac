import type { TwoFactorState } from '#libs/access';
import { usePageContext } from '../../ui/page-context.js';
import { FormAlert } from '../../ui/parts/form.js';
import { RelativeTime } from '../../ui/parts/relative-time.js';
import { TWO_FACTOR_PATH } from '../../sign-in/session.guard.js';
import { PageLayout } from '../../shell/shell.js';
import { recoveryCodesText } from '../two-factor/two-factor.page.js';
import { AuthorisedApplicationsSection, PersonalTokensSection, SessionsSection } from './access-sections.js';
import { NameForm, NoticesForm, PasswordForm, PreferencesForm, SignatureForm, TimeZoneForm } from './profile-forms.js';
import type { ProfileView } from './profile.reader.js';

export function ProfilePage({ view }: { view: ProfileView }) {
  const { me } = usePageContext();
  return (
    <PageLayout title="Profile" intro={`${me.email}, ${me.role} of ${me.account}`}>
      <FormAlert />
      <div class="columns">
        <NameForm />
        <SignatureForm signature={view.signature} />
        <NoticesForm mailReplies={view.mailReplies} />
        <PasswordForm />
        <PreferencesForm />
        <TimeZoneForm chosen={view.timeZones} />
      </div>
      <TwoFactorSection state={view.twoFactor} />
      <SessionsSection sessions={view.sessions} current={view.currentSession} />
      <AuthorisedApplicationsSection applications={view.applications} />
      <PersonalTokensSection view={view} />
    </PageLayout>
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
        <p>
          On since <RelativeTime at={state.since} />. {recoveryCodesText(state.recoveryCodesLeft)}
        </p>
      ) : (
        <p class="quiet">Off. Anyone who learns your password can sign in as you.</p>
      )}
    </section>
  );
}
