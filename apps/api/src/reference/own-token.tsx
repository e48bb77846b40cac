import { ScopeChoices } from '../layers/oauth/access-columns.js';
import { CardField, CsrfField } from '../layers/ui/layout.js';

/**
 * Creates a personal access token as the profile does, whose page shows it without a script. The script puts it into the
 * samples of this tab.
 */
export const OwnToken = ({ csrf }: { readonly csrf: string }) => (
  <details class="own-token">
    <summary>Use your own token in the samples</summary>
    <form method="post" action="/profile/tokens" class="stack" aria-label="Token for the samples">
      <CsrfField token={csrf} />
      <input type="hidden" name="name" value="API reference" />
      <input type="hidden" name="days" value="1" />
      <p class="quiet small">
        Creates a token for one day. Only this tab shows it; your <a href="/profile#tokens">profile</a> lists it.
      </p>
      <ScopeChoices legend="Permissions" chosen={['read']} />
      <CardField label="Your password, or a code from your app" name="proof" type="password" />
      <p class="fault" role="alert" />
      <button type="submit">Create token</button>
    </form>
  </details>
);
