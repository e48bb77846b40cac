import { systemStatement } from './statements.js';

export const BELL_CHANNEL = 'deskwire_bell';

export const RING = systemStatement(
  'bell_ring',
  'It only wakes listeners and touches no row',
  `select pg_notify('${BELL_CHANNEL}', $1)`,
);

/** PostgreSQL limits a payload to 8000 bytes. */
const MAX_ACCOUNTS = 200;

/** An empty payload means that any account may have changed. */
export const formatPayload = (accountIds: ReadonlySet<string>): string =>
  accountIds.size > MAX_ACCOUNTS ? '' : [...accountIds].join(',');

export const parsePayload = (payload: string): string[] => (payload === '' ? [] : payload.split(','));
