import type { Webhook } from '#libs/entities';
import type { LiveSecret } from '#libs/webhooks';
import { CopyButton } from '../ui/parts/copy-button.js';
import { Form } from '../ui/parts/form.js';
import { RelativeTime } from '../ui/parts/relative-time.js';
import { NODE_SNIPPET, PYTHON_SNIPPET } from './snippets.js';
import { webhookPath } from '../shell/webhook-paths.js';

interface SecretSectionProps {
  readonly webhook: Pick<Webhook, 'id'>;
  readonly secrets?: readonly LiveSecret[] | undefined;
}

export function SecretSection({ webhook: { id }, secrets }: SecretSectionProps) {
  const part = `secret-${id}`;
  return (
    <div id={part}>
      {secrets?.map(({ secret, expiresAt }) => <SigningSecret secret={secret} until={expiresAt} key={secret} />) ?? (
        <Form action={`${webhookPath(id)}/secret`} class="row" label="Signing secret" swap={part}>
          <span>
            Signing secret <code>whsec_••••••••</code>
          </span>
          <button type="submit" class="slim">
            Reveal
          </button>
        </Form>
      )}
    </div>
  );
}

function SigningSecret({ secret, until = null }: { secret: string; until?: Date | null }) {
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
        The headers follow the Standard Webhooks specification, so its libraries work without changes.
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
        <div>
          <CopyButton text={code} what={`the ${name} code`} />
        </div>
      </div>
    </details>
  );
}
