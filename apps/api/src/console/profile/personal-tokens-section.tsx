import { SCOPES } from '#libs/entities';
import { CopyButton } from '../../pages/parts/copy.js';
import { Action, type Faults, Field, Form } from '../../pages/parts/form.js';
import { Notice } from '../../pages/parts/marks.js';
import { Table } from '../../pages/parts/table.js';
import { Time } from '../../pages/parts/time.js';
import type { ProfileView } from './profile-view.js';
import { SCOPE_WORDS, scopeWords } from './scope-words.js';

export function Tokens({ view: { tokens, issued, faults } }: { view: ProfileView }) {
  return (
    <section class="stack" aria-labelledby="tokens">
      <h2 id="tokens">Personal access tokens</h2>
      <p class="quiet">For scripts of your own. A token can do what you can do, within its scopes.</p>
      {issued && (
        <Notice tone="good" role="status">
          <p>Copy the token now: it is not shown again.</p>
          <p class="row">
            <code class="break" data-token>
              {issued}
            </code>
            <CopyButton text={issued} what="the token" />
          </p>
        </Notice>
      )}
      {tokens.length > 0 && (
        <Table caption="Your tokens" columns={['Name', 'May', 'Last used', 'Ends', '(Actions)']}>
          {tokens.map(({ id, name, scopes, lastUsedAt, expiresAt }) => (
            <tr key={id}>
              <td>{name}</td>
              <td class="words">{scopeWords(scopes)}</td>
              <td>{lastUsedAt ? <Time at={lastUsedAt} /> : 'never'}</td>
              <td>
                <Time at={expiresAt} />
              </td>
              <td class="end">
                <Action to={`/profile/tokens/${id}/revoke`} label="Revoke" class="slim danger" />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <NewToken faults={faults} />
    </section>
  );
}

function NewToken({ faults }: { faults: Faults }) {
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
            <span>{SCOPE_WORDS[scope]}</span>
          </label>
        ))}
      </fieldset>
      <div>
        <button type="submit">Make token</button>
      </div>
    </Form>
  );
}
