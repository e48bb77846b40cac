import { usePageContext } from '../ui/page-context.js';
import { type DescribedActivity, describeAction, describeActivity } from './activity-description.js';

/** Describes an activity, with times in the reader’s time zone. Links the other ticket that it is about. */
export function ActivitySentence({ activity }: { activity: DescribedActivity }) {
  const sentence = describeActivity(activity, usePageContext().me.timeZone);
  const { ticket } = activity.detail;
  const name = `#${String(ticket)}`;
  if (!sentence.endsWith(name)) return <>{sentence}</>;
  return (
    <>
      {sentence.slice(0, -name.length)}
      <a href={`/tickets/${String(ticket)}`}>{name}</a>
    </>
  );
}

/** What was done, for a table that names who did it. */
export function ActivityAction({ activity }: { activity: DescribedActivity }) {
  return <>{describeAction(activity, usePageContext().me.timeZone)}</>;
}
