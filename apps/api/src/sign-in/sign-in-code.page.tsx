import { Alert, CardField, CardLayout, CsrfField } from '../pages/layout.js';

interface CodeProps {
  readonly csrf: string;
  readonly error?: string;
}

export function CodePage({ csrf, error }: CodeProps) {
  return (
    <CardLayout title="Enter your code">
      <Alert>{error}</Alert>
      <form method="post" action="/sign-in/code">
        <CsrfField token={csrf} />
        <CardField
          label="Code"
          name="code"
          inputmode="numeric"
          autocomplete="one-time-code"
          hint="The six digits that your authenticator app shows now."
          autofocus
        />
        <p>
          <button class="primary wide">Sign in</button>
        </p>
      </form>
      <p>
        <a href="/sign-in/recovery-code">Use a recovery code instead</a>
      </p>
    </CardLayout>
  );
}

export function RecoveryCodePage({ csrf, error }: CodeProps) {
  return (
    <CardLayout title="Enter a recovery code">
      <Alert>{error}</Alert>
      <form method="post" action="/sign-in/recovery-code">
        <CsrfField token={csrf} />
        <CardField
          label="Recovery code"
          name="code"
          autocomplete="off"
          hint="One of those that you kept when you set up two-factor sign-in. Each works once."
          autofocus
        />
        <p>
          <button class="primary wide">Sign in</button>
        </p>
      </form>
      <p>
        <a href="/sign-in/code">Use a code from the app instead</a>
      </p>
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
      <p>
        <a href="/sign-in">Start again with your password</a>
      </p>
    </CardLayout>
  );
}
