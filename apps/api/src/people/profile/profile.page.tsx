import { usePageContext } from '../../ui/page-context.js';
import { PageLayout } from '../../shell/shell.js';
import { AuthorisedApplicationsSection, SessionsSection } from './access-sections.js';
import { NameForm, NoticesForm, PasswordForm, PreferencesForm, SignatureForm, TimeZoneForm } from './profile-forms.js';
import type { ProfileView } from './profile.reader.js';
import { PersonalTokensSection } from './personal-tokens-section.js';
import { TwoFactorSection } from './two-factor-section.js';
import { FormAlert } from '../../ui/parts/form.js';

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
