import type { AuthenticatedSession } from '#libs/access';
import type { Scope } from '#libs/entities';
import { CardLayout, CsrfField } from '../pages/layout.js';
import type { AuthorizationRequest } from './authorization-request.js';

const IN_WORDS: Readonly<Record<Scope, string>> = {
  read: 'Read tickets, messages, customers and agents',
  write: 'Create and change tickets, messages and customers',
  webhooks: 'Be notified of what happens through webhooks that it registers',
  admin: 'Manage agents, groups, mailboxes and the webhooks of others, as far as you may yourself',
};

interface ConsentProps {
  readonly request: AuthorizationRequest;
  readonly me: AuthenticatedSession;
  /** The query of this request, so that the person allows exactly what the page shows. */
  readonly query: string;
  readonly proof: string;
  readonly csrf: string;
}

export function ConsentPage({ request, me, query, proof, csrf }: ConsentProps) {
  const { client, redirectUri, scopes } = request;
  return (
    <CardLayout title={`Give ${client.name} access?`}>
      <p>
        <strong>{client.name}</strong> at <strong>{new URL(redirectUri).host}</strong> asks for access to the account{' '}
        <strong>{me.account}</strong>. It will be able to:
      </p>
      <ul class="permissions">
        {scopes.map((scope) => (
          <li key={scope}>{IN_WORDS[scope]}</li>
        ))}
      </ul>
      <form method="post">
        <CsrfField token={proof} />
        <div class="actions">
          <button name="decision" value="deny">
            Deny
          </button>
          <button name="decision" value="allow" class="primary">
            Allow
          </button>
        </div>
      </form>
      <p class="quiet">You can revoke the access at any time under Authorised apps in your profile.</p>
      <form
        class="quiet"
        method="post"
        action={`/sign-out?return_to=${encodeURIComponent(`/oauth/authorize?${query}`)}`}
      >
        <CsrfField token={csrf} />
        Signed in as {me.email}. <button class="link">Not you?</button>
      </form>
    </CardLayout>
  );
}
