import { useFrame } from '../../pages/frame.js';
import { Notice } from '../../pages/parts/marks.js';
import { Page } from '../shell/shell.js';
import { Authorised, Sessions } from './access.js';
import { NameForm, PasswordForm, PreferencesForm } from './own-forms.js';
import type { ProfileView } from './profile-view.js';
import { Tokens } from './tokens.js';

export function ProfilePage({ view }: { view: ProfileView }) {
  const { me } = useFrame();
  return (
    <Page title="Profile" here="/profile" intro={`${me.email}, ${me.role} of ${me.account}`}>
      {view.refused && (
        <Notice tone="bad" role="alert">
          {view.refused}
        </Notice>
      )}
      <div class="columns">
        <NameForm faults={view.faults} />
        <PasswordForm faults={view.faults} />
        <PreferencesForm />
      </div>
      <Sessions sessions={view.sessions} current={view.currentSession} />
      <Authorised applications={view.applications} />
      <Tokens view={view} />
    </Page>
  );
}
