import type { Desk } from './desk.js';

export interface EmittedEvent {
  readonly kind: string;
  readonly payload: Record<string, unknown>;
}

/** The events that `action` emitted in the account, in order. */
export async function eventsEmittedBy(desk: Desk, action: () => Promise<unknown>): Promise<EmittedEvent[]> {
  const before = await lastSequence(desk);
  await action();
  const { rows } = await desk.sql.query<{ kind: string; payload: string }>(
    'select kind, payload from events where account_id = $1 and sequence > $2 order by sequence',
    [desk.account.id, before],
  );
  return rows.map(({ kind, payload }) => ({ kind, payload: JSON.parse(payload) as Record<string, unknown> }));
}

export async function eventKindsEmittedBy(desk: Desk, action: () => Promise<unknown>): Promise<string[]> {
  return (await eventsEmittedBy(desk, action)).map(({ kind }) => kind);
}

async function lastSequence(desk: Desk): Promise<string> {
  const { rows } = await desk.sql.query<{ last: string }>('select coalesce(max(sequence), 0) as last from events');
  return rows[0]!.last;
}
