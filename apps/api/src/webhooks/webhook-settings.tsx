import type { Webhook } from '#libs/entities';
import type { LiveSecret } from '#libs/payloads';
import { takesFilter } from '#libs/webhooks';
import { CopyButton } from '../layers/ui/parts/copy-button.js';
import { CancelButton, Dialog } from '../layers/ui/parts/dialog.js';
import { Facts } from '../layers/ui/parts/facts.js';
import { Field } from '../layers/ui/parts/fields.js';
import { ActionButton, Form, SubmitButton } from '../layers/ui/parts/form.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { FilterField, PreviewButton } from './webhook-filter.js';
import { CredentialFields } from './webhook-credentials.js';
import { webhookPath } from './webhook-paths.js';
import type { WebhookDetailView } from './webhook-detail.reader.js';
import { NODE_SNIPPET, PYTHON_SNIPPET } from './snippets.js';

export function WebhookSettings({ view: { webhook, secrets, keysUrl } }: { view: WebhookDetailView }) {
  const path = webhookPath(webhook.id);
  return (
    <section class="card stack" aria-labelledby="details">
      <h2 id="details">Details</h2>
      <Facts
        of={[
          ['Created by', webhook.application?.name ?? 'the console'],
          ['Created', <RelativeTime at={webhook.createdAt} />],
          ['ID', <code>{webhook.id}</code>],
        ]}
      />
      <Form action={path} class="stack" label="Settings">
        <Field label="Name" name="name" value={webhook.name ?? ''} hint="Optional. Shown instead of the event." />
        <Field label="URL" name="url" type="url" required value={webhook.url} />
        {takesFilter(webhook.event) && <FilterField value={webhook.filter} />}
        <CredentialFields webhook={webhook} />
        <div class="row">
          <button type="submit">Save webhook</button>
          {takesFilter(webhook.event) && <PreviewButton />}
        </div>
      </Form>
      <hr />
      <SecretSection webhook={webhook} secrets={secrets} />
      <RotateDialog path={path} />
      <hr />
      <PublicKeys webhook={webhook} keysUrl={keysUrl} />
    </section>
  );
}

function RotateDialog({ path }: { path: string }) {
  return (
    <Dialog id="rotate" opener="Rotate secret…" title="Rotate the secret?">
      <p>
        Deliveries are signed with both the old and the new secret for 24 hours, so that you can update your receiver
        without losing one.
      </p>
      <Form action={`${path}/rotate`} class="row">
        <SubmitButton>Rotate secret</SubmitButton>
        <CancelButton dialog="rotate" />
      </Form>
    </Dialog>
  );
}

function PublicKeys({ webhook: { id, publiclySigned }, keysUrl }: { webhook: Webhook; keysUrl: string }) {
  return (
    <section class="stack" aria-labelledby="public-keys">
      <h3 id="public-keys">Public keys</h3>
      {publiclySigned ? (
        <>
          <p>
            Each delivery is also signed with Ed25519 (<code>v1a</code>, <code>dw1a</code>). Anyone can verify it with
            these keys, which are this webhook’s own:
          </p>
          <p class="row">
            <code class="break">{keysUrl}</code>
            <CopyButton text={keysUrl} what="the address of the keys" />
          </p>
        </>
      ) : (
        <p class="quiet">
          Deliveries can also be signed with Ed25519 (<code>v1a</code>), so that a receiver verifies them with a public
          key and needs no secret.
        </p>
      )}
      <ActionButton
        to={`${webhookPath(id)}/signatures`}
        label={publiclySigned ? 'Stop signing with Ed25519' : 'Also sign with Ed25519'}
        fields={{ signatures: publiclySigned ? 'v1' : 'v1,v1a' }}
      />
    </section>
  );
}

export function SecretSection(props: { webhook: Webhook; secrets?: readonly LiveSecret[] | undefined }) {
  const {
    webhook: { id },
    secrets,
  } = props;
  const part = `secret-${id}`;
  return (
    <div id={part}>
      {secrets?.map((each) => <SigningSecret secret={each} key={each.secret} />) ?? (
        <Form action={`${webhookPath(id)}/secret`} class="row" label="Signing secret" swap={part}>
          <span>
            Signing secret <code>whsec_••••••••</code>
          </span>
          <SubmitButton class="slim">Reveal</SubmitButton>
        </Form>
      )}
    </div>
  );
}

function SigningSecret({ secret: { secret, expiresAt: until } }: { secret: LiveSecret }) {
  return (
    <div>
      <p class="row">
        <span>{until ? 'Previous secret' : 'Signing secret'}</span>
        <code class="break" data-secret>
          {secret}
        </code>
        <CopyButton text={secret} what="the secret" />
      </p>
      {until && (
        <p class="quiet small">
          Still signs alongside the new one; expires <RelativeTime at={until} />.
        </p>
      )}
    </div>
  );
}

export function VerificationSnippets() {
  return (
    <section class="stack" aria-labelledby="verify">
      <h2 id="verify">Verify that a delivery is from Deskwire</h2>
      <p class="quiet">
        Anyone can post to your URL, but only Deskwire knows the secret. Verify the signature of the raw body before you
        trust it.
      </p>
      <VerificationSnippet name="Node.js" code={NODE_SNIPPET} open />
      <VerificationSnippet name="Python" code={PYTHON_SNIPPET} />
      <p class="quiet small">
        The headers follow the Standard Webhooks specification, so its libraries work without changes. They verify{' '}
        <code>v1</code>, which does not cover <code>webhook-event</code> and <code>webhook-test</code>. This code
        verifies both.
      </p>
    </section>
  );
}

function VerificationSnippet({ name, code, open = false }: { name: string; code: string; open?: boolean }) {
  return (
    <details open={open}>
      <summary>{name}</summary>
      <div class="stack">
        <pre tabIndex={0} aria-label={`${name} code`}>
          {code}
        </pre>
        <CopyButton text={code} what={`the ${name} code`} />
      </div>
    </details>
  );
}
