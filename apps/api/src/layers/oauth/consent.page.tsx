import type { Scope } from '#libs/entities';
import type { BrowserSession } from '../sign-in/browser-sessions.service.js';
import { CardLayout, CsrfField } from '../ui/layout.js';

const SENTENCES: Readonly<Record<Scope, string>> = {
  read: 'Read all tickets, messages, internal notes, files, customers and agents',
  write: 'Create, change and delete tickets, messages and customers, and see each record it changes',
  webhooks: 'Register webhooks, which send it tickets, messages, internal notes, customers and agents as they change',
  admin:
    'Manage agents, groups, mailboxes and all webhooks, within your own permissions. Agents that it invites can see everything',
};

/** Without `read`, an application can neither register webhooks nor read deliveries. */
const WEBHOOKS_ALONE = 'See, test and delete its webhooks. It cannot register webhooks or receive records';

const permissionsOf = (scopes: readonly Scope[]): string[] =>
  scopes.map((scope) => (scope === 'webhooks' && !scopes.includes('read') ? WEBHOOKS_ALONE : SENTENCES[scope]));

interface ConsentProps {
  readonly request: { client: { name: string }; redirectUri: string; scopes: readonly Scope[] };
  readonly me: BrowserSession;
  readonly query: string;
  readonly proof: string;
}

export function ConsentPage({ request, me, query, proof }: ConsentProps) {
  const { client, redirectUri, scopes } = request;
  return (
    <CardLayout title={`Give ${client.name} access?`}>
      <p>
        <strong>{client.name}</strong> at <strong>{new URL(redirectUri).host}</strong> asks for access to the account{' '}
        <strong>{me.account}</strong>. It will be able to:
      </p>
      <ul class="permissions">
        {permissionsOf(scopes).map((sentence) => (
          <li key={sentence}>{sentence}</li>
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
      <p class="quiet">You can revoke access at any time under Authorised apps in your profile.</p>
      <form
        class="quiet"
        method="post"
        action={`/sign-out?return_to=${encodeURIComponent(`/oauth/authorize?${query}`)}`}
      >
        <CsrfField token={me.csrf} />
        Signed in as {me.email}. <button class="link">Not you?</button>
      </form>
    </CardLayout>
  );
}
