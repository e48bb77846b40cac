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
    if (messages.some((message) => isOpenedBy(message, activity))) continue;
    if (shown.length > 0 && undoes(activity, shown.at(-1)!)) shown.pop();
    else shown.push(activity);
  }
  return shown;
}

/** An event of a message is a moment younger than it. That a message reopened the ticket is worth a line. */
function isOpenedBy(message: Message, { kind, detail, createdAt }: ActivityWithActor): boolean {
  const [before] = changesIn(detail)['state'] ?? [];
  const age = createdAt.getTime() - message.createdAt.getTime();
  return kind === 'ticket_opened' && before !== 'closed' && before !== 'spam' && age >= 0 && age < 3000;
}

function undoes(later: ActivityWithActor, earlier: ActivityWithActor): boolean {
  if (later.actor !== earlier.actor || later.createdAt.getTime() - earlier.createdAt.getTime() > UNDONE_WITHIN_MS)
    return false;
  const entries = Object.entries(changesIn(later.detail));
  const reversed = Object.fromEntries(entries.map(([field, [before, after]]) => [field, [after, before]]));
  return entries.length > 0 && JSON.stringify(reversed) === JSON.stringify(changesIn(earlier.detail));
}
