import { usePageContext } from '../../pages/page-context.js';
import { type DescribedActivity, describeAction, describeActivity } from './activity-description.js';

/** Who did what, with times as the reader’s clock shows them. */
export function ActivitySentence({ activity }: { activity: DescribedActivity }) {
  return <>{describeActivity(activity, usePageContext().me.timeZone)}</>;
}

/** What was done, for a table that names who did it. */
export function ActivityAction({ activity }: { activity: DescribedActivity }) {
  return <>{describeAction(activity, usePageContext().me.timeZone)}</>;
}
