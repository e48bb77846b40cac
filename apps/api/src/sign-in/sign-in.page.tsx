import type { SignInCandidate } from '#libs/access';
import type { UnsentForm } from './browser-sessions.service.js';
import { Alert, CardLayout, CsrfField, CardField } from '../ui/layout.js';

interface SignInProps {
  readonly csrf: string;
  readonly email?: string;
  readonly error?: string;
  readonly unsent?: UnsentForm | undefined;
}

const UNSENT_WORDS: Readonly<Record<UnsentForm, string>> = {
  kept: 'Sign in again to go on: your text is kept. It has not been sent.',
  lost: 'Sign in again to go on. What you did last has not been done.',
};

export function SignInPage({ csrf, email = '', error, unsent }: SignInProps) {
  return (
    <CardLayout title="Sign in">
      <Alert>{error}</Alert>
      {unsent && <p role="status">{UNSENT_WORDS[unsent]}</p>}
      <form method="post" action={unsent ? `/sign-in?unsent=${unsent}` : '/sign-in'}>
        <CsrfField token={csrf} />
        <CardField label="E-mail" name="email" type="email" value={email} autocomplete="username" autofocus={!email} />
        <CardField label="Password" name="password" type="password" autocomplete="current-password" />
        <p>
          <button class="primary wide">Sign in</button>
        </p>
      </form>
      <p>
        <a href="/forgot-password">Forgotten password?</a>
      </p>
    </CardLayout>
  );
}

export function ChooseAccountPage({
  csrf,
  agents,
}: {
  csrf: string;
  agents: readonly Pick<SignInCandidate, 'id' | 'account'>[];
}) {
  return (
    <CardLayout title="Choose an account">
      <p>Your e-mail belongs to more than one account. Which one do you want to open?</p>
      <form method="post" action="/sign-in/account">
        <CsrfField token={csrf} />
        <ul class="choices">
          {agents.map(({ id, account }) => (
            <li key={id}>
              <button class="wide" name="agent" value={id}>
                {account}
              </button>
            </li>
          ))}
        </ul>
      </form>
    </CardLayout>
  );
}
