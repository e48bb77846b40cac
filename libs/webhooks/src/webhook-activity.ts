import type { Webhook } from '#libs/entities';
import type { ActivityDescription } from '#libs/events';

export const describeWebhookActivity = ({
  id,
  url,
  event,
}: Pick<Webhook, 'id' | 'url' | 'event'>): ActivityDescription => ({
  ticketId: null,
  subject: url,
  detail: { webhook: id, event },
});
