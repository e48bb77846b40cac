import type { SignInCandidate } from '#libs/access';
import type { ComponentChildren } from 'preact';
import type { UnsentForm } from './session.guard.js';
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
  kept: 'Sign in again to go on: your text is kept. It has not been sent.',
  lost: 'Sign in again to go on. What you did last has not been done.',
};

export function SignInPage({ csrf, email = '', error, unsent }: SignInProps) {
  return (
    <CardLayout title="Sign in">
      <Alert>{error}</Alert>
      {unsent && <p role="status">{UNSENT_WORDS[unsent]}</p>}
      <CardForm csrf={csrf} action={unsent ? `/sign-in?unsent=${unsent}` : '/sign-in'} submit="Sign in">
        <CardField label="E-mail" name="email" type="email" value={email} autocomplete="username" autofocus={!email} />
        <CardField label="Password" name="password" type="password" autocomplete="current-password" />
      </CardForm>
      <CardLink to="/forgot-password" text="Forgotten password?" />
    </CardLayout>
  );
}

export function ChooseAccountPage({ csrf, agents }: { csrf: string; agents: readonly SignInCandidate[] }) {
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
          hint="The six digits that your authenticator app shows now."
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
          hint="One of those that you kept when you set up two-factor sign-in. Each works once."
          autofocus
        />
      </CardForm>
      <CardLink to="/sign-in/code" text="Use a code from the app instead" />
      <p class="quiet">
        If both the app and the recovery codes are lost, an owner or admin of your account can reset your two-factor
        sign-in.
      </p>
    </CardLayout>
  );
}

export function StartAgainPage() {
  return (
    <CardLayout title="Sign in again">
      <p role="alert">There were too many wrong codes, or it took more than ten minutes.</p>
      <CardLink to="/sign-in" text="Start again with your password" />
    </CardLayout>
  );
}
