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
      Failing since <RelativeTime at={failingSince} />. Will be disabled <RelativeTime at={disabledAt(failingSince)} />{' '}
      if
      {` ${DISABLE_AFTER_FAILED_DELIVERIES} deliveries have failed and none succeeds.`}
    </p>
  );
}
