import type { Webhook } from '#libs/entities';
import { NoticeBox } from '../ui/parts/indicators.js';
import { PageLayout } from '../shell/shell.js';
import { SecretSection, VerificationSnippets } from './signing-secret.js';
import { webhookPath } from '../shell/webhook-paths.js';

export function WebhookCreatedPage({ webhooks }: { webhooks: readonly Webhook[] }) {
  const several = webhooks.length > 1;
  return (
    <PageLayout title={several ? `${webhooks.length} webhooks added` : 'Webhook added'} narrow>
      <NoticeBox tone="good" role="status">
        {several ? 'They are active from now on.' : 'It is active from now on.'} The secret can be seen again at any
        time on the webhook’s page.
      </NoticeBox>
      {webhooks.map((webhook) => (
        <section class="card stack" aria-label={webhook.event} key={webhook.id}>
          <div class="row apart">
            <h2 class="mono">{webhook.event}</h2>
            <a href={webhookPath(webhook.id)}>Open, and watch its deliveries</a>
          </div>
          <p class="mono break">{webhook.url}</p>
          <SecretSection webhook={webhook} />
        </section>
      ))}
      <div class="card">
        <VerificationSnippets />
      </div>
    </PageLayout>
  );
}
