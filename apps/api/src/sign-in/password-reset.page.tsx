import type { LinkRecipient } from '#libs/access';
import { Alert, CardLayout, CardField } from '../ui/layout.js';
import { CardForm, CardLink } from './sign-in.page.js';

export function ForgotPasswordPage({ csrf }: { readonly csrf: string }) {
  return (
    <CardLayout title="Forgotten password">
      <p>Enter the e-mail you sign in with. We will send you a link to set a new password.</p>
      <CardForm csrf={csrf} action="/forgot-password" submit="Send the link">
        <CardField label="E-mail" name="email" type="email" autocomplete="username" autofocus />
      </CardForm>
      <BackToSignIn />
    </CardLayout>
  );
}

const BackToSignIn = () => <CardLink to="/sign-in" text="Back to sign in" />;

export function NoMailPage() {
  return (
    <CardLayout title="Forgotten password">
      <p>
        No mail server is set up here, so we cannot send a link. Ask the operator of this installation for one: the
        command line creates it.
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
        If an agent here has this e-mail, a link is on its way to it. The link works once, for an hour.
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
        {invited ? `You were invited to answer tickets of ${holder.account} as ` : `For ${holder.account}, as `}
        <strong>{holder.email}</strong>.
      </p>
      <CardForm csrf={csrf} action={path} submit={invited ? 'Join' : 'Set the password'}>
        <input type="hidden" name="username" value={holder.email} autocomplete="username" />
        <CardField
          label="New password"
          name="password"
          type="password"
          autocomplete="new-password"
          minLength={10}
          hint="At least 10 characters. Several words make a good one."
          autofocus
        />
      </CardForm>
    </CardLayout>
  );
}

export function LinkExpiredPage() {
  return (
    <CardLayout title="This link no longer works">
      <p>It was used before, replaced by a newer one, or is too old. Ask for a new one.</p>
      <CardLink to="/forgot-password" text="Get a new link" />
    </CardLayout>
  );
}
