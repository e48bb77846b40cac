import { systemStatement } from './statements.js';

export const BELL_CHANNEL = 'deskwire_bell';
export const RELAY_CHANNEL = 'deskwire_relay';

/** Raw, because the bell also sends it together with a COMMIT. */
export const RING = systemStatement(
  'bell_ring',
  'It only wakes listeners and touches no row',
  `select pg_notify('${BELL_CHANNEL}', $1)`,
);

export const RING_RELAY = systemStatement(
  'relay_ring',
  'It only wakes listeners and touches no row',
  `select pg_notify('${RELAY_CHANNEL}', $1)`,
);

/** PostgreSQL limits a payload to 8000 bytes. */
const MAX_ACCOUNTS = 200;

/** An empty payload means that any account may have changed. */
export const formatPayload = (accountIds: ReadonlySet<string>): string =>
  accountIds.size > MAX_ACCOUNTS ? '' : [...accountIds].join(',');

export const parsePayload = (payload: string): string[] => (payload === '' ? [] : payload.split(','));
