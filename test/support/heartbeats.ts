import type { Desk } from './desk.js';
import { eventually } from './eventually.js';

/** Waits until each of two workers has counted the other one, and so keeps to its share. */
export const workersKnowEachOther = ({ sql }: Desk) =>
  eventually(
    async () => {
      const text = 'select count(*) = 2 and min(seen_at) > max(started_at) as known from worker_heartbeats';
      return (await sql.query<{ known: boolean }>(text)).rows[0]!.known;
    },
    { withinMs: 20_000 },
  );
