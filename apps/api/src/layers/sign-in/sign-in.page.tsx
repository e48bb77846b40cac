import type { SignInCandidate } from '#libs/access';
import type { ComponentChildren } from 'preact';
import type { UnsentForm } from './browser-sessions.service.js';
import { Alert, CardLayout, CardLink, CsrfField, CardField } from '../ui/layout.js';

interface CardFormProps {
  readonly csrf: string;
  readonly action: string;
  readonly submit: string;
  readonly children: ComponentChildren;
}

export function CardForm({ csrf, action, submit, children }: CardFormProps) {
  return (
    <form method="post" action={action}>
      <CsrfField token={csrf} />
      {children}
      <p>
        <button class="primary wide">{submit}</button>
      </p>
    </form>
  );
}

interface SignInProps {
  readonly csrf: string;
  readonly email?: string;
  readonly error?: string;
  readonly unsent?: UnsentForm | undefined;
}

const UNSENT_WORDS: Readonly<Record<UnsentForm, string>> = {
  kept: 'You were signed out. Your draft is saved but not sent. Sign in to continue.',
  lost: 'Your session has ended. Sign in to continue; your last change was not saved.',
};

export function SignInPage({ csrf, email = '', error, unsent }: SignInProps) {
  return (
    <CardLayout title="Sign in">
      <Alert>{error}</Alert>
      {unsent && <p role="status">{UNSENT_WORDS[unsent]}</p>}
      <CardForm csrf={csrf} action={unsent ? `/sign-in?unsent=${unsent}` : '/sign-in'} submit="Sign in">
        <CardField label="Email" name="email" type="email" value={email} autocomplete="username" autofocus={!email} />
        <CardField label="Password" name="password" type="password" autocomplete="current-password" />
      </CardForm>
      <CardLink to="/forgot-password" text="Forgot password?" />
    </CardLayout>
  );
}

export function ChooseAccountPage({ csrf, agents }: { csrf: string; agents: readonly SignInCandidate[] }) {
  return (
    <CardLayout title="Choose an account">
      <p>Your email belongs to more than one account. Choose one.</p>
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

interface CodeProps {
  readonly csrf: string;
  readonly error?: string;
}

export function CodePage({ csrf, error }: CodeProps) {
  return (
    <CardLayout title="Enter your code">
      <Alert>{error}</Alert>
      <CardForm csrf={csrf} action="/sign-in/code" submit="Sign in">
        <CardField
          label="Code"
          name="code"
          inputmode="numeric"
          autocomplete="one-time-code"
          hint="The 6-digit code from your authenticator app."
          autofocus
        />
      </CardForm>
      <CardLink to="/sign-in/recovery-code" text="Use a recovery code instead" />
    </CardLayout>
  );
}

export function RecoveryCodePage({ csrf, error }: CodeProps) {
  return (
    <CardLayout title="Enter a recovery code">
      <Alert>{error}</Alert>
      <CardForm csrf={csrf} action="/sign-in/recovery-code" submit="Sign in">
        <CardField
          label="Recovery code"
          name="code"
          autocomplete="off"
          hint="One of the codes you saved when you set up two-factor sign-in. Each works once."
          autofocus
        />
      </CardForm>
      <CardLink to="/sign-in/code" text="Use a code from the app instead" />
      <p class="quiet">
        If you have lost both the app and the recovery codes, an owner or admin of your account can reset your
        two-factor sign-in.
      </p>
    </CardLayout>
  );
}

export function StartAgainPage() {
  return (
    <CardLayout title="Sign in again">
      <p role="alert">Too many wrong codes, or more than ten minutes passed.</p>
      <CardLink to="/sign-in" text="Start again with your password" />
    </CardLayout>
  );
}
