import type { Webhook } from '#libs/entities';
import type { FormFields } from '../layers/ui/form-fields.js';
import { usePageContext } from '../layers/ui/page-context.js';
import { Field, SelectField, choicesOf } from '../layers/ui/parts/fields.js';

const AUTHENTICATION = choicesOf({ bearer: 'Bearer token', basic: 'User name and password' });

/** Values are never shown, so an empty field keeps them. */
export function CredentialFields({ webhook }: { webhook?: Webhook }) {
  const { headerNames = [], authenticationType = null } = webhook ?? {};
  const sent = [...headerNames, ...(authenticationType ? [`authorization (${authenticationType})`] : [])].join(', ');
  const none = authenticationType ? [{ value: 'none', label: 'None' }] : [];
  const first = { value: '', label: authenticationType ? 'Keep as it is' : 'None' };
  return (
    <details open={sent !== '' || usePageContext().form.faults.length > 0}>
      <summary>Headers and authentication</summary>
      <div class="stack">
        {sent && <p class="quiet">Each delivery has these headers: {sent}. Enter them again if you change the host.</p>}
        <SelectField label="Authentication" name="authentication" choices={[first, ...none, ...AUTHENTICATION]} />
        <Field label="User name" name="username" autocomplete="off" />
        <Field label="Token or password" name="credential" type="password" autocomplete="new-password" />
        <Field label="Headers" name="headers" hint="One per line, such as X-Api-Key: a1b2c3. They replace all others.">
          {(attributes) => <textarea {...attributes} rows={3} autocomplete="off" />}
        </Field>
        {headerNames.length > 0 && (
          <label class="check">
            <input type="checkbox" name="remove_headers" value="yes" />
            <span>Remove the headers</span>
          </label>
        )}
      </div>
    </details>
  );
}

export function credentialsIn(form: FormFields) {
  const type = form.text('authentication');
  const credential = form.text('credential');
  const parts = type === 'basic' ? { username: form.text('username'), password: credential } : { token: credential };
  const lines = form
    .text('headers')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(':');
    return [name.trim(), value.join(':').trim()];
  });
  return {
    ...(type !== '' && { authentication: type === 'none' ? null : { type, ...parts } }),
    ...(form.text('remove_headers') === 'yes' && { headers: null }),
    ...(lines.length > 0 && { headers: Object.fromEntries(headers) as object }),
  };
}
