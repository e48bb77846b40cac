import type { Webhook } from '#libs/entities';
import { NoticeBox } from '../../pages/parts/indicators.js';
import { PageLayout } from '../shell/shell.js';
import { SigningSecret, VerificationSnippets } from './signing-secret.js';
import { webhookPath } from './webhook-paths.js';

export interface CreatedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

export function WebhookCreatedPage({ webhooks }: { webhooks: readonly CreatedWebhook[] }) {
  const several = webhooks.length > 1;
  return (
    <PageLayout title={several ? `${webhooks.length} webhooks added` : 'Webhook added'} narrow>
      <NoticeBox tone="good" role="status">
        {several ? 'They are active from now on.' : 'It is active from now on.'} The secret can be seen again at any
        time on the webhook’s page.
      </NoticeBox>
      {webhooks.map(({ webhook, secret }) => (
        <section class="card stack" aria-label={webhook.event} key={webhook.id}>
          <div class="row apart">
            <h2 class="mono">{webhook.event}</h2>
            <a href={webhookPath(webhook.id)}>Open, and watch its deliveries</a>
          </div>
          <p class="mono break">{webhook.url}</p>
          <details class="secret">
            <summary>
              Signing secret <code>whsec_••••••••</code> – reveal
            </summary>
            <SigningSecret secret={secret} />
          </details>
        </section>
      ))}
      <div class="card">
        <VerificationSnippets />
      </div>
    </PageLayout>
  );
}
