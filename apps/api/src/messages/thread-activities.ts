import { type Message, changesIn } from '#libs/entities';
import type { ActivityWithActor } from './thread.reader.js';

/** An agent who takes a change back this soon has changed nothing. */
const UNDONE_WITHIN_MS = 5 * 60_000;

/** Oldest first, without changes that were undone, and without the state that a message set. */
export function shownActivities(
  activities: readonly ActivityWithActor[],
  messages: readonly Message[],
): ActivityWithActor[] {
  const shown: ActivityWithActor[] = [];
  for (const activity of activities.toReversed()) {
    if (activity.kind === 'ticket_opened' && messages.some((message) => isSoonAfter(activity, message))) continue;
    if (shown.length > 0 && undoes(activity, shown.at(-1)!)) shown.pop();
    else shown.push(activity);
  }
  return shown;
}

/** The events of a message are a moment younger than it. */
function isSoonAfter(activity: ActivityWithActor, message: Message): boolean {
  const after = activity.createdAt.getTime() - message.createdAt.getTime();
  return after >= 0 && after < 3000;
}

function undoes(later: ActivityWithActor, earlier: ActivityWithActor): boolean {
  if (later.actor !== earlier.actor || later.createdAt.getTime() - earlier.createdAt.getTime() > UNDONE_WITHIN_MS)
    return false;
  const entries = Object.entries(changesIn(later.detail));
  const reversed = Object.fromEntries(entries.map(([field, [before, after]]) => [field, [after, before]]));
  return entries.length > 0 && JSON.stringify(reversed) === JSON.stringify(changesIn(earlier.detail));
}
