import { usePageContext } from '../ui/page-context.js';
import { type DescribedActivity, describeAction, describeActivity } from './activity-description.js';

/** Links the other ticket that the activity is about. */
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

/** For a table with a column for the actor. */
export function ActivityAction({ activity }: { activity: DescribedActivity }) {
  return <>{describeAction(activity, usePageContext().me.timeZone)}</>;
}
