import {
  type AgentState,
  type DeliveryProgress,
  type DeliveryStanding,
  type TicketPriority,
  type TicketState,
  type WebhookState,
  standingOf,
} from '#libs/entities';
import type { ComponentChildren } from 'preact';

export type Tone = 'accent' | 'good' | 'warn' | 'bad' | 'quiet';

export function Pill(props: { tone?: Tone; children: ComponentChildren; title?: string }) {
  const { tone = 'quiet', children, title } = props;
  return (
    <span class={`pill ${tone}`} title={title}>
      {children}
    </span>
  );
}

const PRIORITY_TONES: Readonly<Record<TicketPriority, Tone>> = {
  low: 'quiet',
  medium: 'accent',
  high: 'warn',
  urgent: 'bad',
};

export function PriorityPill({ priority }: { priority: TicketPriority }) {
  return <Pill tone={PRIORITY_TONES[priority]}>{priority}</Pill>;
}

const statePill =
  <State extends string>(tones: Readonly<Record<State, Tone>>, label = (state: State): string => state) =>
  ({ state }: { state: State }) => <Pill tone={tones[state]}>{label(state)}</Pill>;

const TICKET_STATE_LABELS: Readonly<Record<TicketState, string>> = {
  unread: 'New',
  opened: 'Open',
  pending: 'Waiting for customer',
  closed: 'Closed',
  spam: 'Spam',
};

export const TicketStatePill = statePill<TicketState>(
  { unread: 'accent', opened: 'good', pending: 'warn', closed: 'quiet', spam: 'bad' },
  (state) => TICKET_STATE_LABELS[state],
);

export const AgentStatePill = statePill<AgentState>({ invited: 'warn', active: 'good', archived: 'quiet' });

export const WebhookStatePill = statePill<WebhookState>({ active: 'good', paused: 'warn', disabled: 'bad' });

export const standingWords = (standing: DeliveryStanding): string => standing.replace('_', ' ');

const STANDING_TONES: Readonly<Record<DeliveryStanding, Tone>> = {
  waiting: 'accent',
  retrying: 'warn',
  held: 'quiet',
  delivered: 'good',
  given_up: 'bad',
  cancelled: 'quiet',
};

export function StandingPill({ delivery }: { delivery: DeliveryProgress }) {
  const standing = standingOf(delivery);
  return <Pill tone={STANDING_TONES[standing]}>{standingWords(standing)}</Pill>;
}

/** Initials, so that no picture is fetched from another server. */
export function Avatar({ name, large = false, label }: { name: string; large?: boolean; label?: string }) {
  const names = label
    ? ({ role: 'img', 'aria-label': label, title: label } as const)
    : { 'aria-hidden': 'true' as const };
  return (
    <span class={large ? 'avatar large' : 'avatar'} {...names}>
      {initials(name)}
    </span>
  );
}

function initials(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => Array.from(word ?? '?')[0]?.toUpperCase()).join('');
}

export function NoticeBox(props: { tone: Tone; children: ComponentChildren; role?: 'alert' | 'status' }) {
  const { tone, children, role } = props;
  return (
    <div class={`notice ${tone}`} role={role}>
      {children}
    </div>
  );
}

export function EmptyState({ title, text, children }: { title: string; text?: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </div>
  );
}

export function NothingMatches({ title, href, label }: { title: string; href: string; label: string }) {
  return (
    <EmptyState title={title}>
      <p>
        <a href={href}>{label}</a>
      </p>
    </EmptyState>
  );
}
