import { Agent, type Message } from '#libs/entities';
import { type HeldReplyOfAgent, type SeenThread, formatSeen, unseenIn } from '#libs/tickets';
import { agentName } from '../../layers/ui/agent-name.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { NoticeBox } from '../../layers/ui/parts/indicators.js';
import { clockTime } from '../../layers/ui/zoned-time.js';
import type { OpenTicket } from '../inbox/open-ticket.reader.js';

/** The query parameter with which an open page refreshes its alert. */
export const HELD_BACK_PARAMETER = 'held_back';

/** Explains why a reply was held back. A script refreshes it and scrolls to the new message. */
export function HeldBack({ seen, open }: { seen: SeenThread; open: OpenTicket }) {
  const { me, now } = usePageContext();
  const { ticket, thread, held } = open;
  const current = { messageCount: ticket.messageCount, newest: thread.messages.toReversed(), waiting: held };
  const { messages, waiting } = unseenIn(seen, current, me.agentId);
  const [latest] = messages;
  const [waits] = waiting;
  const sentences = [
    latest && describeMessage(latest, me, now),
    waits && describeWaiting(waits, me),
    advice(latest !== undefined, waits !== undefined),
  ];
  return (
    <div id="held-back" data-live data-seen={formatSeen(seen)} data-shows={latest && `message-${latest.id}`}>
      <NoticeBox tone="bad" role="alert">
        {sentences.filter(Boolean).join(' ')}
      </NoticeBox>
    </div>
  );
}

interface Reader {
  readonly agentId: string;
  readonly timeZone: string;
}

function describeMessage({ author, note, createdAt }: Message, me: Reader, now: Date): string {
  const byAgent = author instanceof Agent;
  const name = byAgent ? agentName(author) : (author.name() ?? author.email);
  const isOwn = author.id === me.agentId;
  const did = note ? 'added a note' : byAgent ? 'replied' : 'wrote';
  return `${isOwn ? 'You' : name} ${did}${isOwn ? ' in another window' : ''} at ${clockTime(createdAt, now, me.timeZone)}.`;
}

const describeWaiting = ({ agentId, agent }: HeldReplyOfAgent, me: Reader): string =>
  agentId === me.agentId ? 'You are sending a reply from another window.' : `${agentName(agent)} is sending a reply.`;

function advice(hasCome: boolean, isWaiting: boolean): string {
  if (hasCome) return 'Your reply was not sent. Read the message first, then send yours if it is still needed.';
  if (isWaiting) return 'Your reply was not sent. Read the other reply first, then send yours if it is still needed.';
  return 'The other reply was not sent. Press Send to send yours.';
}
