import type { Account } from './account.js';
import type { Home } from './home.js';
import type { Options } from './options.js';
import type { Roster } from './roster.js';

/** What everything that is started stands on. */
export interface Ground {
  options: Options;
  home: Home;
  account: Account | undefined;
  roster: Roster;
}
