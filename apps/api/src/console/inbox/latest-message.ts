import type { HeldReplyOfAgent } from '#libs/desk';
import { Agent, type Message } from '#libs/entities';
import { formatRelativeTime } from '../../pages/parts/relative-time.js';
import { agentName } from '../people/agent-name.js';

/** Somebody pressed Send a moment ago, and may still take it back. */
export const describeWaiting = ({ agent }: HeldReplyOfAgent): string =>
  `${agentName(agent)} is sending a reply. Nothing of yours was sent. Wait for theirs, and send again if your answer still fits.`;

/** Why an answer was held back: who wrote what, and when. */
export function describeLatest(
  { author, note, createdAt }: Message,
  me: { readonly agentId: string; readonly timeZone: string },
  now: Date,
): string {
  const byAgent = author instanceof Agent;
  const name = byAgent ? agentName(author) : (author.name() ?? author.email);
  const who = author.id === me.agentId ? 'You' : name;
  const did = note ? 'added a note' : byAgent ? 'replied' : 'wrote';
  const where = author.id === me.agentId ? ' in another window' : '';
  return `${who} ${did}${where} ${formatRelativeTime(now, createdAt, me.timeZone)}. Nothing was sent. Read it, and send again if your answer still fits.`;
}
