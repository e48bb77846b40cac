import type { LinkRecipient } from '#libs/access';
import { Alert, CardField, CardLayout, CardLink } from '../ui/layout.js';
import { CardForm } from './sign-in.page.js';

export function ForgotPasswordPage({ csrf }: { readonly csrf: string }) {
  return (
    <CardLayout title="Forgot password?">
      <p>Enter your email address. We will send you a link to set a new password.</p>
      <CardForm csrf={csrf} action="/forgot-password" submit="Send link">
        <CardField label="Email" name="email" type="email" autocomplete="username" autofocus />
      </CardForm>
      <BackToSignIn />
    </CardLayout>
  );
}

const BackToSignIn = () => <CardLink to="/sign-in" text="Back to sign in" />;

export function NoMailPage() {
  return (
    <CardLayout title="Forgot password?">
      <p>
        Email is not set up here, so we cannot send a link. Ask the operator of this installation for one: the command
        line creates it.
      </p>
      <BackToSignIn />
    </CardLayout>
  );
}

/** Must be the same for known and unknown addresses. */
export function LinkSentPage() {
  return (
    <CardLayout title="Check your email">
      <p role="status">
        If this address belongs to an agent, we have sent a link to it. The link works once and expires in 1 hour.
      </p>
      <BackToSignIn />
    </CardLayout>
  );
}

interface SetPasswordProps {
  readonly csrf: string;
  readonly error?: string | undefined;
  readonly holder: LinkRecipient;
  readonly path: string;
}

export function SetPasswordPage({ csrf, error, holder, path }: SetPasswordProps) {
  const invited = holder.purpose === 'invitation';
  return (
    <CardLayout title={invited ? `Join ${holder.account}` : 'Set a new password'}>
      <Alert>{error}</Alert>
      <p>
        {invited ? `You were invited to join the support team of ${holder.account} as ` : `For ${holder.account}, as `}
        <strong>{holder.email}</strong>.
      </p>
      <CardForm csrf={csrf} action={path} submit={invited ? 'Join' : 'Set password'}>
        <input type="hidden" name="username" value={holder.email} autocomplete="username" />
        <CardField
          label="New password"
          name="password"
          type="password"
          autocomplete="new-password"
          minLength={10}
          hint="At least 10 characters. A few random words work well."
          autofocus
        />
      </CardForm>
    </CardLayout>
  );
}

export function LinkExpiredPage() {
  return (
    <CardLayout title="This link no longer works">
      <p>It was already used, was replaced by a newer one, or has expired.</p>
      <CardLink to="/forgot-password" text="Get a new link" />
    </CardLayout>
  );
}
