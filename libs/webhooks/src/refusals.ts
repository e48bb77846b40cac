import { Conflict } from '#libs/entities';

/** The domain’s own error for what PostgreSQL refused. */
export function refusalOf(error: unknown): unknown {
  if ((error as { constraint?: string }).constraint !== 'replays_one_at_a_time_idx') return error;
  return new Conflict('replay_running', 'A replay of this webhook is running. Wait until it ends, or cancel it.');
}
