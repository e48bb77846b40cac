import type { Prepared } from './statements.js';

/** What PostgreSQL holds to in the sessions of a process, by the names that PostgreSQL has for it. */
export type SessionSettings = Readonly<Record<string, string>>;

/** For sessions of our own: said once, as one begins. */
export const startupOptions = (settings: SessionSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** Behind a pooler the next transaction may be in another session, so each says this first, and it ends with it. */
export const settingsOfTransaction = (settings: SessionSettings): Prepared => ({
  name: 'tx_settings',
  text: `select ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}`,
  values: [],
});
