import type { ComponentChildren } from 'preact';
import { Alert, CardField, CardLayout, CsrfField } from '../ui/layout.js';

interface CodeProps {
  readonly csrf: string;
  readonly error?: string;
}

export const CodePage = (props: CodeProps) => (
  <SecondStepPage
    {...props}
    title="Enter your code"
    action="/sign-in/code"
    field={{
      label: 'Code',
      inputmode: 'numeric',
      autocomplete: 'one-time-code',
      hint: 'The six digits that your authenticator app shows now.',
    }}
  >
    <p>
      <a href="/sign-in/recovery-code">Use a recovery code instead</a>
    </p>
  </SecondStepPage>
);

export const RecoveryCodePage = (props: CodeProps) => (
  <SecondStepPage
    {...props}
    title="Enter a recovery code"
    action="/sign-in/recovery-code"
    field={{
      label: 'Recovery code',
      autocomplete: 'off',
      hint: 'One of those that you kept when you set up two-factor sign-in. Each works once.',
    }}
  >
    <p>
      <a href="/sign-in/code">Use a code from the app instead</a>
    </p>
    <p class="quiet">
      If both the app and the recovery codes are lost, an owner or admin of your account can reset your two-factor
      sign-in.
    </p>
  </SecondStepPage>
);

interface SecondStepProps extends CodeProps {
  readonly title: string;
  readonly action: string;
  readonly field: Pick<Parameters<typeof CardField>[0], 'label' | 'inputmode' | 'autocomplete' | 'hint'>;
  readonly children: ComponentChildren;
}

function SecondStepPage({ csrf, error, title, action, field, children }: SecondStepProps) {
  return (
    <CardLayout title={title}>
      <Alert>{error}</Alert>
      <form method="post" action={action}>
        <CsrfField token={csrf} />
        <CardField {...field} name="code" autofocus />
        <p>
          <button class="primary wide">Sign in</button>
        </p>
      </form>
      {children}
    </CardLayout>
  );
}

export function StartAgainPage() {
  return (
    <CardLayout title="Sign in again">
      <p role="alert">There were too many wrong codes, or it took more than ten minutes.</p>
      <p>
        <a href="/sign-in">Start again with your password</a>
      </p>
    </CardLayout>
  );
}
