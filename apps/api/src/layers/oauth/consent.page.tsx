import { type OAuthClient, destinationOf, sentenceOf } from '#libs/access';
import type { Scope } from '#libs/entities';
import type { BrowserSession } from '../sign-in/browser-sessions.service.js';
import { Alert, CardLayout, CardLink, CsrfField } from '../ui/layout.js';
import { approvalOf, makerOf } from './application-maker.js';

/** How long access can last, in hours. Anything else lasts until it is revoked. */
export const DURATION_HOURS: ReadonlyMap<string, number> = new Map([
  ['24h', 24],
  ['30d', 30 * 24],
]);

interface ConsentProps {
  readonly request: { client: OAuthClient; redirectUri: string; scopes: readonly Scope[] };
  readonly me: BrowserSession;
  readonly query: string;
  readonly proof: string;
  readonly error?: string | undefined;
}

export function ConsentPage({ request, me, query, proof, error }: ConsentProps) {
  const { client, scopes } = request;
  return (
    <CardLayout title={`Give ${client.name} access?`}>
      <Alert>{error}</Alert>
      <p>
        <strong>
          <bdi>{client.name}</bdi>
        </strong>{' '}
        asks for access to the account <strong>{me.account}</strong>. It will be able to:
      </p>
      <form method="post">
        <CsrfField token={proof} />
        {scopes.length > 1 && <input type="hidden" name="choosing" value="1" />}
        <Permissions scopes={scopes} />
        <div class="field">
          <label for="duration">For how long</label>
          <select id="duration" name="duration">
            <option value="">Until you revoke it</option>
            <option value="30d">30 days</option>
            <option value="24h">24 hours</option>
          </select>
        </div>
        <Maker {...request} />
        <div class="row end">
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

function Permissions({ scopes }: { readonly scopes: readonly Scope[] }) {
  const isChoice = scopes.length > 1;
  return (
    <ul class="permissions">
      {scopes.map((scope) => (
        <li key={scope}>
          {isChoice ? (
            <label class="check">
              <input type="checkbox" name="scope[]" value={scope} checked />
              <span>{sentenceOf(scope, scopes)}</span>
            </label>
          ) : (
            sentenceOf(scope, scopes)
          )}
        </li>
      ))}
    </ul>
  );
}

/** The name proves nothing, so the page says where the answer goes and who vouches for the application. */
function Maker({ client, redirectUri }: Pick<ConsentProps['request'], 'client' | 'redirectUri'>) {
  return (
    <ul class="quiet small">
      <li>
        You return to <strong class="break">{destinationOf(redirectUri)}</strong>
      </li>
      <li>{makerOf(client)}</li>
      <li>{approvalOf(client)}</li>
    </ul>
  );
}

/** Sends the browser on without a redirect. */
export const LeavePage = ({ to }: { readonly to: string }) => (
  <CardLayout title="You are signed in">
    <meta http-equiv="refresh" content={`0; url=${to}`} />
    <CardLink to={to} text={`Continue to ${destinationOf(to)}`} />
  </CardLayout>
);
