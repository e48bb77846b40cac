import { SCOPES } from '#libs/entities';
import { CopyButton } from '../../pages/parts/copy-button.js';
import { ActionButton, type FieldErrors, Field, Form } from '../../pages/parts/form.js';
import { NoticeBox } from '../../pages/parts/indicators.js';
import { Table } from '../../pages/parts/table.js';
import { RelativeTime } from '../../pages/parts/relative-time.js';
import type { ProfileView } from './profile-view.js';
import { SCOPE_LABELS, scopesLabel } from './scope-label.js';

export function PersonalTokensSection({ view: { tokens, newToken, faults } }: { view: ProfileView }) {
  return (
    <section class="stack" aria-labelledby="tokens">
      <h2 id="tokens">Personal access tokens</h2>
      <p class="quiet">For scripts of your own. A token can do what you can do, within its scopes.</p>
      {newToken && (
        <NoticeBox tone="good" role="status">
          <p>Copy the token now: it is not shown again.</p>
          <p class="row">
            <code class="break" data-token>
              {newToken}
            </code>
            <CopyButton text={newToken} what="the token" />
          </p>
        </NoticeBox>
      )}
      {tokens.length > 0 && (
        <Table caption="Your tokens" columns={['Name', 'May', 'Last used', 'Ends', '(Actions)']}>
          {tokens.map(({ id, name, scopes, lastUsedAt, expiresAt }) => (
            <tr key={id}>
              <td>{name}</td>
              <td class="words">{scopesLabel(scopes)}</td>
              <td>{lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'never'}</td>
              <td>
                <RelativeTime at={expiresAt} />
              </td>
              <td class="end">
                <ActionButton to={`/profile/tokens/${id}/revoke`} label="Revoke" class="slim danger" />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <NewTokenForm faults={faults} />
    </section>
  );
}

function NewTokenForm({ faults }: { faults: FieldErrors }) {
  return (
    <Form action="/profile/tokens" class="card stack" label="New token">
      <div class="pair">
        <Field label="Name" name="name" required faults={faults} hint="What it is for." autocomplete="off" />
        <Field
          label="Days it lives"
          name="days"
          type="number"
          required
          value="90"
          faults={faults}
          hint="At most 365."
        />
      </div>
      <fieldset>
        <legend>It may</legend>
        {SCOPES.map((scope) => (
          <label class="check" key={scope}>
            <input type="checkbox" name="scope[]" value={scope} checked={scope === 'read'} />
            <span>{SCOPE_LABELS[scope]}</span>
          </label>
        ))}
      </fieldset>
      <div>
        <button type="submit">Make token</button>
      </div>
    </Form>
  );
}
