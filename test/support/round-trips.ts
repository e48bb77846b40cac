import { StatementBatch } from '#libs/database';
import { Client } from 'pg';
import { vi } from 'vitest';

export interface RoundTrips {
  readonly made: readonly string[];
  stop(): void;
}

/** Records the round trips of this process to PostgreSQL from now on. */
export function countRoundTrips(): RoundTrips {
  const spy = vi.spyOn(Client.prototype, 'query');
  return {
    get made() {
      return spy.mock.calls.map(([config]: readonly unknown[]) => nameOf(config));
    },
    stop: () => spy.mockRestore(),
  };
}

export async function roundTripsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const trips = countRoundTrips();
  try {
    await work();
    return trips.made;
  } finally {
    trips.stop();
  }
}

function nameOf(config: unknown): string {
  if (config instanceof StatementBatch) return config.statements.map(({ name }) => name).join(' + ');
  return typeof config === 'string' ? config : (config as { name: string }).name;
}
