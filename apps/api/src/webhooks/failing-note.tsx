import { later } from '#libs/database';
import type { Webhook } from '#libs/entities';
import { DISABLE_AFTER_FAILED_DELIVERIES, FAILING_AFTER_MS, disabledAt } from '#libs/webhooks';
import { usePageContext } from '../layers/ui/page-context.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';

export function FailingNote({ webhook: { state, failingSince } }: { webhook: Webhook }) {
  const { now } = usePageContext();
  if (state !== 'active' || failingSince === null || later(failingSince, FAILING_AFTER_MS) > now) return null;
  return (
    <p class="small" data-live id="failing">
      Started failing <RelativeTime at={failingSince} />. Unless a delivery succeeds, it will be disabled{' '}
      <RelativeTime at={disabledAt(failingSince)} />, after {DISABLE_AFTER_FAILED_DELIVERIES} failed deliveries.
    </p>
  );
}
